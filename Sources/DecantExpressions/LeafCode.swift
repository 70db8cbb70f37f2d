internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// The code by which an SQL function knows the kind of its argument.
enum LeafCode: Sendable {
  /// The kind follows from the storage class; BLOBs are tagged.
  case tagged
  case boolean
  case decimal
  case url
  case date
  case uuid
  case data
  case object(root: String)

  /// The code of a kind; for an object, the code contains the name of the kind's entity.
  static func code(of kind: SQLValue.Kind) -> String {
    switch kind {
    case .null, .integer, .double, .number, .string, .any: "y"
    case .boolean: "b"
    case .decimal: "m"
    case .url: "u"
    case .date: "d"
    case .uuid: "i"
    case .data, .transformable: "x"
    case .object(let entity): "o" + entity
    }
  }

  /// The code of a kind; for an object, the code contains the name of the root entity.
  static func code(of kind: SQLValue.Kind, in layout: StoreLayout) -> String {
    guard case .object(let entity) = kind, let root = layout.model.root(of: entity) else {
      return code(of: kind)
    }
    return code(of: .object(root.name))
  }

  init?(_ code: some StringProtocol) {
    switch code {
    case "y": self = .tagged
    case "b": self = .boolean
    case "m": self = .decimal
    case "u": self = .url
    case "d": self = .date
    case "i": self = .uuid
    case "x": self = .data
    default:
      guard code.hasPrefix("o") else { return nil }
      self = .object(root: String(code.dropFirst()))
    }
  }

  func value(_ stored: SQLiteValue) throws -> Value {
    switch (self, stored) {
    case (_, .null): .null
    case (.tagged, _): try TaggedValue.value(stored)
    case (.boolean, .integer(let number)): .boolean(number != 0)
    case (.decimal, _): try DecimalColumn.decimal(stored).map(Value.decimal) ?? .null
    case (.url, .text(let text)): .url(text)
    case (.date, .real(let seconds)): .date(seconds)
    case (.date, .integer(let seconds)): .date(Double(seconds))
    case (.uuid, .blob(let data)): .uuid(try UUIDColumn.uuid(data))
    case (.data, .blob(let data)): .data(data)
    case (.object(let root), .integer(let key)): SQLObject(root: root, key: key).asValue
    default: throw TaggedValue.Malformed()
    }
  }
}
