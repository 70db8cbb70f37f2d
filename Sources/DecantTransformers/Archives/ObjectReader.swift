internal import Foundation
internal import KeyedArchive

/// Makes objects of an archive of unknown origin.
///
/// Foundation's own unarchiver isn't used: on Linux an archive that contains itself, or a dictionary with fewer values
/// than keys, ends the process. Classes are Foundation's property-list classes and those of the program.
final class ObjectReader {
  /// The classes that an archive may have besides property lists; `nil` for all of the program's.
  private let allowed: [AnyClass]?
  private var made: [Int: NSObject] = [:]
  /// The objects that are being made.
  private var open: Set<Int> = []
  private var depth = 0
  private var allowance = ArchiveAllowance()
  /// The first problem in a call of an app's class, which can't throw it.
  var problem: ArchivedObjectProblem?

  private static let mostDepth = 200

  private init(allowed: [AnyClass]?) { self.allowed = allowed }

  /// The root object of an archive.
  ///
  /// - Parameter allowed: The classes that the root object may have; `nil` for all.
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

  /// Checks that an object is of an allowed class.
  private func check(_ object: NSObject, named name: String?) throws(ArchivedObjectProblem) {
    guard let allowed, !allowed.contains(where: { object.isKind(of: $0) }) else { return }
    throw .notAllowed(name ?? "\(type(of: object))", allowed: allowed.map { "\($0)" })
  }

  // MARK: Objects

  /// The object of a node; the same one for the same node.
  func object(_ node: ArchiveNode) throws(ArchivedObjectProblem) -> NSObject {
    guard let number = node.number else { return try fresh(node) }
    if let known = made[number] { return known }
    guard open.insert(number).inserted else { throw .circle(className: node.className ?? node.kind) }
    defer { open.remove(number) }
    let object = try fresh(node)
    made[number] = object
    return object
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
    case "NSSet": return NSSet(array: try members(node).map(Self.hashable))
    case "NSMutableSet": return NSMutableSet(array: try members(node).map(Self.hashable))
    case "NSOrderedSet": return NSOrderedSet(array: try members(node).map(Self.hashable))
    case "NSMutableOrderedSet": return NSMutableOrderedSet(array: try members(node).map(Self.hashable))
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
    let nodes: [ArchiveNode?]
    do {
      nodes = try node.members(key, &allowance)
    } catch {
      throw .archive(error)
    }
    var objects: [NSObject] = []
    for member in nodes {
      guard let member else { throw .unusable(className: node.className ?? node.kind) }
      objects.append(try object(member))
    }
    return objects
  }

  /// Foundation on Linux can't hash a decimal number.
  private static func hashable(_ object: NSObject) throws(ArchivedObjectProblem) -> NSObject {
    guard !(object is NSDecimalNumber) else { throw .unusable(className: "set or key with an NSDecimalNumber") }
    return object
  }

  private func dictionary(_ node: ArchiveNode, _ name: String) throws(ArchivedObjectProblem) -> NSObject {
    let keys = try members(node, "NS.keys").map(Self.hashable)
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
    guard let type = ArchivedClasses.type(named: name, chain: node.classNames) else {
      throw .missingClass(name)
    }
    if let allowed, !allowed.contains(where: { Self.isKind(type, of: $0) }) {
      throw .notAllowed(name, allowed: allowed.map { "\($0)" })
    }
    let object = type.init(coder: ArchiveDecoder(node, reader: self)) as? NSObject
    if let problem { throw problem }
    guard let object else { throw .refused(className: name) }
    return object
  }

  private static func isKind(_ type: any NSCoding.Type, of other: AnyClass) -> Bool {
    (type as? NSObject.Type)?.isSubclass(of: other) ?? false
  }
}
