internal import PredicateFormat

/// A policy program's answer to one batch, in output order.
struct PolicyProgramAnswer: Sendable, Equatable {
  /// A destination object.
  struct Object: Sendable, Equatable {
    /// The program's own name for it in links, unique in the whole run; `nil` if no link uses it.
    var id: String?
    /// The associated source object, which is in the batch.
    var source: Int64?
    var entity: String
    /// Values by attribute; a missing attribute has its default.
    var values: [String: Value]
    /// The line of the program's output.
    var line: Int
  }

  /// An object at one end of a link.
  enum Reference: Sendable, Hashable {
    /// An object that the program made, in this batch or an earlier one.
    case made(String)
    /// An object that an entity mapping made from a source object; `nil` for the program's own mapping.
    case source(Int64, mapping: String?)
  }

  struct Link: Sendable, Hashable {
    var from: Reference
    var relationship: String
    var to: Reference
    /// The line of the program's output.
    var line: Int
  }

  var objects: [Object] = []
  var links: [Link] = []
}
