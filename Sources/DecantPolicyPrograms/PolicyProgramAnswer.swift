package import PredicateFormat

/// A policy program's answer to one batch; both lists are in output order.
package struct PolicyProgramAnswer: Sendable, Equatable {
  package struct Object: Sendable, Equatable {
    /// The program's own name for the object in links, unique in the whole run; `nil` if the program gave none.
    package var id: String?
    /// The key of the associated source object, which is in the batch; `nil` for none.
    package var source: Int64?
    package var entity: String
    /// Values by attribute; a missing attribute has its default.
    package var values: [String: Value]
    /// The number of the line in the program's output.
    package var line: Int
  }

  /// An object at one end of a link.
  package enum Reference: Sendable, Hashable {
    /// An object that the program made, in this batch or an earlier one.
    case made(String)
    /// An object that an entity mapping made from a source object; `mapping` is `nil` for the program's own mapping.
    case source(Int64, mapping: String?)
  }

  package struct Link: Sendable, Hashable {
    package var from: Reference
    package var relationship: String
    package var to: Reference
    /// The number of the line in the program's output.
    package var line: Int
  }

  package var objects: [Object] = []
  package var links: [Link] = []
}
