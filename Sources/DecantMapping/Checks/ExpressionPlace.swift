/// The part of an entity mapping that an expression belongs to, which decides what it can name.
package enum ExpressionPlace: Sendable, Hashable, CustomStringConvertible {
  case filter
  case uniqueBy
  /// The chunk with a number, from 1.
  case chunk(Int)
  case attribute(String)
  case relationship(String)

  package var description: String {
    switch self {
    case .filter: "filter"
    case .uniqueBy: "uniqueBy"
    case .chunk(let number): "chunk \(number)"
    case .attribute(let name): "attribute “\(name)”"
    case .relationship(let name): "relationship “\(name)”"
    }
  }

  /// The text before a problem; the name of a property is stated elsewhere.
  var prefix: String { property == nil ? "\(self): " : "" }

  var property: String? {
    switch self {
    case .attribute(let name), .relationship(let name): name
    case .filter, .uniqueBy, .chunk: nil
    }
  }

  /// The key in the text of the entity mapping.
  var key: String? {
    switch self {
    case .filter: "filter"
    case .uniqueBy: "uniqueBy"
    case .chunk: "chunks"
    case .attribute, .relationship: nil
    }
  }

  /// Whether keys without an object belong to the source object.
  var isPredicate: Bool {
    switch self {
    case .filter, .chunk: true
    case .uniqueBy, .attribute, .relationship: false
    }
  }
}
