/// The part of an entity mapping that an expression belongs to.
///
/// The part decides which names the expression can use.
package enum ExpressionPlace: Sendable, Hashable, CustomStringConvertible {
  case filter
  case uniqueBy
  /// A predicate of `chunks`, by its place in the list, from 1.
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

  /// The beginning of a message about the expression; empty for a property, because a finding has the property's name.
  var prefix: String { property == nil ? "\(self): " : "" }

  var property: String? {
    switch self {
    case .attribute(let name), .relationship(let name): name
    case .filter, .uniqueBy, .chunk: nil
    }
  }

  /// The key of the entity mapping in a text.
  var key: String? {
    switch self {
    case .filter: "filter"
    case .uniqueBy: "uniqueBy"
    case .chunk: "chunks"
    case .attribute, .relationship: nil
    }
  }

  /// Whether a key without an object, such as `title`, is a key of the source object.
  var isPredicate: Bool {
    switch self {
    case .filter, .chunk: true
    case .uniqueBy, .attribute, .relationship: false
    }
  }
}
