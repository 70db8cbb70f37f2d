internal import Foundation
internal import KeyedArchive

/// Makes objects from an archive of unknown origin.
///
/// Foundation's own unarchiver isn't used: on Linux an archive that contains itself, or a dictionary with fewer values
/// than keys, ends the process. Objects can be of some of Foundation's classes (see `fresh`) and of the program's
/// classes.
final class ObjectReader {
  /// The classes that the root object, and objects of the program's classes within it, may have; `nil` for all.
  private let allowed: [AnyClass]?
  private var made: [Int: (object: NSObject, weight: Int)] = [:]
  /// The number of objects so far; an object at several places counts each time, with all objects within it.
  private var weight = 0
  /// The objects that are being made.
  private var open: Set<Int> = []
  private var depth = 0
  private var allowance = ArchiveAllowance()
  /// The first problem in a call of an app's class, which can't throw it.
  var problem: ArchivedObjectProblem?

  private static let mostDepth = 200
  /// The largest `weight`.
  ///
  /// Casts to Swift's arrays and dictionaries copy shared objects, so that the time depends on this number.
  private static let mostWeight = 500_000
  /// The largest number of objects in a member of a set or a key of a dictionary.
  ///
  /// The class of such an object may compare everything within it.
  private static let mostMemberWeight = 100

  private init(allowed: [AnyClass]?) { self.allowed = allowed }

  /// The root object of an archive.
  ///
  /// - Returns: `nil` for an archive of nil.
  static func object(of data: Data, allowed: [AnyClass]?) throws(ArchivedObjectProblem) -> NSObject? {
    let archive = try reading { () throws(ArchiveError) in try Archive(parsing: data) }
    guard let root = try reading({ () throws(ArchiveError) in try archive.rootOrNil() }) else { return nil }
    let reader = ObjectReader(allowed: allowed)
    let object = try reader.object(root)
    if let problem = reader.problem { throw problem }
    try reader.check(object, named: root.className)
    return object
  }

  private static func reading<Result>(
    _ work: () throws(ArchiveError) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    do {
      return try work()
    } catch {
      throw .archive(error)
    }
  }

  private func check(_ object: NSObject, named name: String?) throws(ArchivedObjectProblem) {
    guard let allowed, !allowed.contains(where: { object.isKind(of: $0) }) else { return }
    throw .notAllowed(name ?? "\(type(of: object))", allowed: allowed.map { "\($0)" })
  }

  // MARK: Objects

  /// The object of a node; nodes with equal numbers give the same object.
  func object(_ node: ArchiveNode) throws(ArchivedObjectProblem) -> NSObject {
    guard let number = node.number else {
      return try weighed { () throws(ArchivedObjectProblem) in try fresh(node) }
    }
    if let known = made[number] {
      try add(known.weight)
      return known.object
    }
    guard open.insert(number).inserted else { throw .circle(className: node.className ?? node.kind) }
    defer { open.remove(number) }
    let before = weight
    let object = try weighed { () throws(ArchivedObjectProblem) in try fresh(node) }
    made[number] = (object, weight - before)
    return object
  }

  private func weighed(
    _ work: () throws(ArchivedObjectProblem) -> NSObject
  ) throws(ArchivedObjectProblem) -> NSObject {
    try add(1)
    return try work()
  }

  private func add(_ further: Int) throws(ArchivedObjectProblem) {
    guard further <= Self.mostWeight - weight else { throw .tooLarge(limit: Self.mostWeight) }
    weight += further
  }

  private func fresh(_ node: ArchiveNode) throws(ArchivedObjectProblem) -> NSObject {
    guard depth < Self.mostDepth else { throw .archive(.tooDeep(limit: Self.mostDepth)) }
    depth += 1
    defer { depth -= 1 }
    if let plain = node.plain { return Self.object(plain) }
    let name = node.className ?? node.kind
    switch name {
    case "NSNull": return NSNull()
    case "NSString", "NSMutableString":
      guard let text = node.string else { throw .unusable(className: name) }
      return name == "NSString" ? NSString(string: text) : NSMutableString(string: text)
    case "NSData", "NSMutableData":
      guard let data = node.data else { throw .unusable(className: name) }
      return name == "NSData" ? NSData(data: data) : NSMutableData(data: data)
    case "NSDate":
      guard let seconds = node.date else { throw .unusable(className: name) }
      return NSDate(timeIntervalSinceReferenceDate: seconds)
    case "NSUUID":
      guard let uuid = node.uuid else { throw .unusable(className: name) }
      return NSUUID(uuidString: uuid.uuidString) ?? NSUUID()
    case "NSURL": return try url(node)
    case "NSDecimalNumberPlaceholder", "NSDecimalNumber":
      guard let decimal = node.decimal else { throw .unusable(className: name) }
      return NSDecimalNumber(decimal: decimal)
    case "NSArray": return NSArray(array: try members(node))
    case "NSMutableArray": return NSMutableArray(array: try members(node))
    case "NSSet": return NSSet(array: try comparable(node, name))
    case "NSMutableSet": return NSMutableSet(array: try comparable(node, name))
    case "NSOrderedSet": return NSOrderedSet(array: try comparable(node, name))
    case "NSMutableOrderedSet": return NSMutableOrderedSet(array: try comparable(node, name))
    case "NSDictionary", "NSMutableDictionary": return try dictionary(node, name)
    default: return try own(node, name)
    }
  }

  private static func object(_ plain: PropertyList) -> NSObject {
    switch plain {
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .unsigned(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .single(let number): NSNumber(value: number)
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): NSData(data: data)
    case .string(let text): NSString(string: text)
    case .array, .dictionary, .uid, .null: NSNull()
    }
  }

  private func members(_ node: ArchiveNode, _ key: String = "NS.objects") throws(ArchivedObjectProblem)
    -> [NSObject]
  {
    try weighedMembers(node, key).map(\.object)
  }

  private func weighedMembers(
    _ node: ArchiveNode, _ key: String
  ) throws(ArchivedObjectProblem) -> [(object: NSObject, weight: Int)] {
    let nodes: [ArchiveNode?]
    do {
      nodes =
        ["NSOrderedSet", "NSMutableOrderedSet"].contains(node.className)
        ? try node.orderedMembers(&allowance) : try node.members(key, &allowance)
    } catch {
      throw .archive(error)
    }
    var objects: [(object: NSObject, weight: Int)] = []
    for member in nodes {
      guard let member else { throw .unusable(className: node.className ?? node.kind) }
      let before = weight
      let object = try object(member)
      objects.append((object, weight - before))
    }
    return objects
  }

  /// The members of a set, or a dictionary's keys.
  ///
  /// Foundation compares collections with everything within them, and compares an object at several places each time.
  /// So collections and large objects are refused. Decimal numbers are refused because they can't be hashed on Linux.
  private func comparable(
    _ node: ArchiveNode, _ name: String, _ key: String = "NS.objects"
  ) throws(ArchivedObjectProblem) -> [NSObject] {
    try weighedMembers(node, key).map { (member) throws(ArchivedObjectProblem) in
      let type = type(of: member.object)
      let isCollection =
        member.object is NSArray || member.object is NSDictionary || member.object is NSSet
        || member.object is NSOrderedSet
      guard !isCollection, !(member.object is NSDecimalNumber) else {
        throw .unusableMember(className: name, member: "an object of class \(type)")
      }
      guard member.weight <= Self.mostMemberWeight else {
        throw .unusableMember(className: name, member: "a large object of class \(type)")
      }
      return member.object
    }
  }

  private func dictionary(_ node: ArchiveNode, _ name: String) throws(ArchivedObjectProblem) -> NSObject {
    let keys = try comparable(node, name, "NS.keys")
    let values = try members(node)
    guard keys.count == values.count else { throw .unusable(className: name) }
    return name == "NSDictionary"
      ? NSDictionary(objects: values, forKeys: keys) : NSMutableDictionary(objects: values, forKeys: keys)
  }

  private func url(_ node: ArchiveNode) throws(ArchivedObjectProblem) -> NSObject {
    var base: NSURL?
    let (text, under): (String?, ArchiveNode?)
    do {
      text = try node.string("NS.relative")
      under = try node.member("NS.base")
    } catch {
      throw .archive(error)
    }
    if let under { base = try object(under) as? NSURL }
    guard let text, let url = NSURL(string: text, relativeTo: base.map { $0 as URL }) else {
      throw .unusable(className: "NSURL")
    }
    return url
  }

  /// An object of one of the program's classes.
  private func own(_ node: ArchiveNode, _ name: String) throws(ArchivedObjectProblem) -> NSObject {
    guard let type = ArchivedClasses.type(named: name) else { throw .missingClass(name) }
    guard !ArchivedClasses.isOfFoundation(type) else { throw .foundationClass(name) }
    let chain = node.classNames
    guard chain.first == name else { throw .falseClasses(className: name) }
    if let allowed, !allowed.contains(where: { Self.isKind(type, of: $0) }) {
      throw .notAllowed(name, allowed: allowed.map { "\($0)" })
    }
    let object = type.init(coder: ArchiveDecoder(node, reader: self)) as? NSObject
    if let problem { throw problem }
    guard let object else { throw .refused(className: name) }
    ClassChains.remember(chain.filter { $0 != "NSObject" }, of: object)
    return object
  }

  private static func isKind(_ type: any NSCoding.Type, of other: AnyClass) -> Bool {
    (type as? NSObject.Type)?.isSubclass(of: other) ?? false
  }
}
