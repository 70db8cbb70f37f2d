internal import Foundation
internal import KeyedArchive

/// Makes a keyed archive of an object, in the form that `NSKeyedArchiver` writes (docs/formats/model-files.md 4.2).
///
/// Foundation's own archiver isn't used: on Linux a decimal number in a value ends the process, and the order of the
/// archive's objects differs from run to run. Here the same value gives the same bytes.
final class ObjectWriter {
  private var table = ArchiveTable()
  private var scalars: [PropertyList: PropertyList] = [:]
  /// The written collections and app's objects, with their places; kept alive, so that their identifiers stay unique.
  private var placed: [ObjectIdentifier: (object: NSObject, place: PropertyList)] = [:]
  /// The first problem in a call of an app's class, which can't throw it.
  var problem: ArchivedObjectProblem?
  private let state: WritingState

  private init(_ state: WritingState) { self.state = state }

  static func data(of value: Any) throws(ArchivedObjectProblem) -> Data {
    try data(of: value, WritingState())
  }

  private static func data(of value: Any, _ state: WritingState) throws(ArchivedObjectProblem) -> Data {
    let writer = ObjectWriter(state)
    let root = try writer.place(value)
    if let problem = writer.problem { throw problem }
    return writer.table.list(root: root).binaryData()
  }

  /// A reference to an object, which is written first if necessary.
  func place(_ value: Any) throws(ArchivedObjectProblem) -> PropertyList {
    try state.within { () throws(ArchivedObjectProblem) in try placeOf(value) }
  }

  private func placeOf(_ value: Any) throws(ArchivedObjectProblem) -> PropertyList {
    if let plain = Self.plain(value) { return scalar(plain) }
    switch value {
    case is NSNull: return table.object(["NSNull"], [:])
    case let text as NSMutableString:
      return table.object(["NSMutableString", "NSString"], ["NS.string": .string(text as String)])
    case let number as NSDecimalNumber: return decimal(number.decimalValue)
    case let date as Date:
      return table.object(["NSDate"], ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    case let data as NSMutableData:
      return table.object(["NSMutableData", "NSData"], ["NS.data": .data(data as Data)])
    case let uuid as UUID:
      return table.object(["NSUUID"], ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    case is URL: return try url(value)
    case let ordered as NSOrderedSet: return try orderedSet(ordered)
    case let list as NSArray: return try self.list(list)
    case let entries as NSDictionary: return try dictionary(entries)
    case let set as NSSet: return try self.set(set)
    case let object as NSObject: return try own(object)
    default: throw .notArchivable(type: "\(type(of: value))")
    }
  }

  private func scalar(_ value: PropertyList) -> PropertyList {
    if let known = scalars[value] { return known }
    let place = table.place(value)
    scalars[value] = place
    return place
  }

  /// A value that the table holds unchanged; `nil` for any other value.
  private static func plain(_ value: Any) -> PropertyList? {
    switch value {
    case is NSMutableString, is NSMutableData, is NSDecimalNumber, is Decimal: nil
    case let text as String: .string(text)
    case let number as NSNumber: self.number(number)
    case let data as Data: .data(data)
    default: nil
    }
  }

  private static func number(_ number: NSNumber) -> PropertyList {
    if type(of: number) == type(of: NSNumber(value: true)) { return .boolean(number.boolValue) }
    switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
    case "d": return .real(number.doubleValue)
    case "f": return .single(number.floatValue)
    case "Q", "L":
      let wide = number.uint64Value
      return Int64(exactly: wide).map { .integer($0) } ?? .unsigned(wide)
    default: return .integer(number.int64Value)
    }
  }

  private func decimal(_ number: Decimal) -> PropertyList {
    var digits: [UInt16] = []
    if var rest = UInt128("\(number.significand.magnitude)") {
      while rest > 0 {
        digits.append(UInt16(truncatingIfNeeded: rest))
        rest >>= 16
      }
    }
    let padded = digits + Array(repeating: 0, count: max(0, 8 - digits.count))
    return table.object(
      ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue"],
      [
        "NS.mantissa": .data(Data(padded.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })),
        "NS.mantissa.bo": .integer(1), "NS.length": .integer(Int64(number.isNaN ? 0 : digits.count)),
        "NS.exponent": .integer(number.isNaN || digits.isEmpty ? 0 : Int64(number.exponent)),
        "NS.negative": .boolean(number.isNaN || number.sign == .minus), "NS.compact": .boolean(true),
      ])
  }

  /// Both classes of URLs are read, because a cast between them loses the base on Linux.
  private func url(_ url: Any) throws(ArchivedObjectProblem) -> PropertyList {
    var parts: (base: URL?, text: String) = (nil, "")
    if type(of: url) == URL.self, let url = url as? URL {
      parts = (url.baseURL, url.relativeString)
    } else if let url = url as? NSURL {
      parts = (url.baseURL, url.relativeString)
    }
    let base = try parts.base.map { (base) throws(ArchivedObjectProblem) in try place(base) }
    return table.object(["NSURL"], ["NS.base": base ?? .uid(0), "NS.relative": scalar(.string(parts.text))])
  }

  // MARK: Collections

  private func list(_ list: NSArray) throws(ArchivedObjectProblem) -> PropertyList {
    try once(list) { place throws(ArchivedObjectProblem) in
      let members = try places(CollectionParts.members(of: list))
      let names = list is NSMutableArray ? ["NSMutableArray", "NSArray"] : ["NSArray"]
      table.fill(place, names, ["NS.objects": .array(members)])
    }
  }

  private func set(_ set: NSSet) throws(ArchivedObjectProblem) -> PropertyList {
    try once(set) { place throws(ArchivedObjectProblem) in
      let members = try places(sorted(CollectionParts.members(of: set), by: { $0 }))
      let names = set is NSMutableSet ? ["NSMutableSet", "NSSet"] : ["NSSet"]
      table.fill(place, names, ["NS.objects": .array(members)])
    }
  }

  /// Each member has a key of its own (docs/formats/model-files.md 4.2).
  private func orderedSet(_ set: NSOrderedSet) throws(ArchivedObjectProblem) -> PropertyList {
    try once(set) { place throws(ArchivedObjectProblem) in
      var keys: [String: PropertyList] = [:]
      for (index, member) in try places(CollectionParts.members(of: set)).enumerated() {
        keys[ArchiveNode.memberKey(index)] = member
      }
      let names = set is NSMutableOrderedSet ? ["NSMutableOrderedSet", "NSOrderedSet"] : ["NSOrderedSet"]
      table.fill(place, names, keys)
    }
  }

  private func dictionary(_ entries: NSDictionary) throws(ArchivedObjectProblem) -> PropertyList {
    try once(entries) { place throws(ArchivedObjectProblem) in
      let order = try sorted(CollectionParts.entries(of: entries), by: { $0.key })
      let (keys, values) = (try places(order.map(\.key)), try places(order.map(\.value)))
      let names = entries is NSMutableDictionary ? ["NSMutableDictionary", "NSDictionary"] : ["NSDictionary"]
      table.fill(place, names, ["NS.keys": .array(keys), "NS.objects": .array(values)])
    }
  }

  private func places(_ members: [Any]) throws(ArchivedObjectProblem) -> [PropertyList] {
    var places: [PropertyList] = []
    for member in members { places.append(try place(member)) }
    return places
  }

  /// The place of a collection, which is written the first time.
  private func once(
    _ object: NSObject, _ write: (PropertyList) throws(ArchivedObjectProblem) -> Void
  ) throws(ArchivedObjectProblem) -> PropertyList {
    try state.opening(object) { () throws(ArchivedObjectProblem) in
      if let known = placed[ObjectIdentifier(object)] { return known.place }
      let place = table.reserve()
      placed[ObjectIdentifier(object)] = (object, place)
      try write(place)
      return place
    }
  }

  /// Members in an order that depends on their values only: texts first, by their bytes.
  private func sorted<Member>(
    _ members: [Member], by part: (Member) -> Any
  ) throws(ArchivedObjectProblem) -> [Member] {
    guard members.count > 1 else { return members }
    var keyed: [(isOther: Bool, key: [UInt8], member: Member)] = []
    for member in members {
      switch part(member) {
      case let text as String: keyed.append((false, Array(text.utf8), member))
      case let date as Date: keyed.append((true, Array("\(date.timeIntervalSinceReferenceDate)".utf8), member))
      case let uuid as UUID: keyed.append((true, Array(uuid.uuidString.utf8), member))
      case let url as URL: keyed.append((true, Array(url.absoluteString.utf8), member))
      case let other: keyed.append((true, try order(of: other), member))
      }
    }
    return keyed.sorted { left, right in
      left.isOther == right.isOther ? left.key.lexicographicallyPrecedes(right.key) : right.isOther
    }.map(\.member)
  }

  /// The sort key of a member that isn't a text: its number, its data, or its archive.
  private func order(of member: Any) throws(ArchivedObjectProblem) -> [UInt8] {
    switch Self.plain(member) {
    case .data(let data)?: return Array(data)
    case let number?: return Array("\(number)".utf8)
    case nil: break
    }
    return try state.ordering { () throws(ArchivedObjectProblem) in Array(try Self.data(of: member, state)) }
  }

  // MARK: The app's classes

  private func own(_ object: NSObject) throws(ArchivedObjectProblem) -> PropertyList {
    if let known = placed[ObjectIdentifier(object)] { return known.place }
    guard let coding = object as? any NSCoding else {
      // Foundation wraps Swift's values in objects, so the error names the type of the inner value.
      let inner = NSArray(object: object).object(at: 0)
      throw .notArchivable(type: "\(type(of: inner))")
    }
    guard !ArchivedClasses.isOfFoundation(type(of: object)) else {
      throw .foundationClass("\(type(of: object))")
    }
    guard let names = ArchivedClasses.chain(of: object) else {
      throw .unnamedClass(type: "\(type(of: object))")
    }
    return try state.opening(object) { () throws(ArchivedObjectProblem) in
      let place = table.reserve()
      placed[ObjectIdentifier(object)] = (object, place)
      let coder = ArchiveEncoder(writer: self)
      coding.encode(with: coder)
      if let problem { throw problem }
      table.fill(place, names, coder.keys)
      return place
    }
  }
}
