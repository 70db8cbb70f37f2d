internal import DecantModel
internal import DecantSQLite
internal import Foundation
internal import PredicateFormat

/// Encodes values of every kind as SQLite values that include the kind, and decodes them.
///
/// Whole numbers, doubles and strings are INTEGER, REAL and TEXT; nil is NULL. Everything else is a BLOB that begins
/// with a tag. Such BLOBs exist only within one statement and are never stored.
enum TaggedValue {
  private enum Tag: UInt8 {
    case null, boolean, integer, double, decimal, string, data, date, uuid, url, array, set, dictionary, object
    case className
  }

  struct Malformed: Error, CustomStringConvertible {
    var description: String { "a value within the statement can't be read" }
  }

  static func sqlite(_ value: Value) throws -> SQLiteValue {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .double(let number): return number.isNaN ? .null : .real(number)
    case .string(let text): return .text(text)
    default:
      var bytes = Data()
      try append(value, to: &bytes)
      return .blob(bytes)
    }
  }

  static func value(_ value: SQLiteValue) throws -> Value {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .double(number)
    case .text(let text): return .string(text)
    case .blob(let data):
      var reader = Reader(bytes: data)
      return try reader.value()
    }
  }

  private static func append(_ value: Value, to bytes: inout Data) throws {
    switch value {
    case .null: bytes.append(Tag.null.rawValue)
    case .boolean(let flag): bytes += [Tag.boolean.rawValue, flag ? 1 : 0]
    case .integer(let number): append(.integer, UInt64(bitPattern: number), to: &bytes)
    case .double(let number): append(.double, number.bitPattern, to: &bytes)
    case .date(let seconds): append(.date, seconds.bitPattern, to: &bytes)
    case .decimal(let number): append(.decimal, Data(DecimalColumn.text(number).utf8), to: &bytes)
    case .string(let text): append(.string, Data(text.utf8), to: &bytes)
    case .url(let text): append(.url, Data(text.utf8), to: &bytes)
    case .className(let text): append(.className, Data(text.utf8), to: &bytes)
    case .data(let data): append(.data, data, to: &bytes)
    case .uuid(let uuid): append(.uuid, withUnsafeBytes(of: uuid.uuid) { Data($0) }, to: &bytes)
    case .array(let members): try append(.array, members, to: &bytes)
    case .set(let members): try append(.set, members, to: &bytes)
    case .dictionary(let entries):
      let sorted = entries.sorted { NameOrder.codePoints($0.key, $1.key) }
      try append(.dictionary, sorted.flatMap { [.string($0.key), $0.value] }, to: &bytes)
    case .object(let reference):
      guard case .row(let space, let key) = reference.object.identity else {
        throw SQLObject.Opaque(label: reference.description)
      }
      append(.object, UInt64(bitPattern: key), to: &bytes)
      append(.string, Data(space.utf8), to: &bytes)
    }
  }

  private static func append(_ tag: Tag, _ number: UInt64, to bytes: inout Data) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ tag: Tag, _ content: Data, to bytes: inout Data) {
    append(tag, UInt64(content.count), to: &bytes)
    bytes.append(content)
  }

  private static func append(_ tag: Tag, _ members: [Value], to bytes: inout Data) throws {
    append(tag, UInt64(members.count), to: &bytes)
    for member in members { try append(member, to: &bytes) }
  }

  /// Decodes the output of `append`; every length is checked nevertheless.
  private struct Reader {
    let bytes: Data
    var place: Data.Index
    var depth = 0

    init(bytes: Data) {
      self.bytes = bytes
      place = bytes.startIndex
    }

    mutating func byte() throws -> UInt8 {
      guard place < bytes.endIndex else { throw Malformed() }
      defer { place += 1 }
      return bytes[place]
    }

    mutating func number() throws -> UInt64 {
      var number: UInt64 = 0
      for shift in 0..<8 { number |= UInt64(try byte()) << UInt64(8 * shift) }
      return number
    }

    mutating func content() throws -> Data {
      guard let count = Int(exactly: try number()), count <= bytes.endIndex - place else { throw Malformed() }
      defer { place += count }
      return bytes[place..<(place + count)]
    }

    mutating func text() throws -> String { String(decoding: try content(), as: UTF8.self) }

    mutating func members() throws -> [Value] {
      // Each member has at least one byte.
      guard let count = Int(exactly: try number()), count <= bytes.endIndex - place, depth < 200 else {
        throw Malformed()
      }
      depth += 1
      defer { depth -= 1 }
      var members: [Value] = []
      members.reserveCapacity(count)
      for _ in 0..<count { members.append(try value()) }
      return members
    }

    mutating func value() throws -> Value {
      guard let tag = Tag(rawValue: try byte()) else { throw Malformed() }
      switch tag {
      case .null: return .null
      case .boolean: return .boolean(try byte() != 0)
      case .integer: return .integer(Int64(bitPattern: try number()))
      case .double: return .double(Double(bitPattern: try number()))
      case .date: return .date(Double(bitPattern: try number()))
      case .decimal: return .decimal(try DecimalColumn.decimal(try text()))
      case .string: return .string(try text())
      case .url: return .url(try text())
      case .className: return .className(try text())
      case .data: return .data(Data(try content()))
      case .uuid: return .uuid(try UUIDColumn.uuid(try content()))
      case .array: return .array(try members())
      case .set: return .set(try members())
      case .dictionary: return .dictionary(try entries())
      case .object:
        let key = Int64(bitPattern: try number())
        guard try byte() == Tag.string.rawValue else { throw Malformed() }
        return SQLObject(root: try text(), key: key).asValue
      }
    }

    private mutating func entries() throws -> [String: Value] {
      let members = try members()
      var entries: [String: Value] = [:]
      for place in stride(from: 0, to: members.count - 1, by: 2) {
        guard case .string(let key) = members[place] else { throw Malformed() }
        entries[key] = members[place + 1]
      }
      return entries
    }
  }
}
