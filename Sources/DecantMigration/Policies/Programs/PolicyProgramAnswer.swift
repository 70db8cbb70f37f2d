internal import PredicateFormat

/// What a policy program made of one batch, in the order in which it said so.
struct PolicyProgramAnswer: Sendable, Equatable {
  /// A destination object.
  struct Object: Sendable, Equatable {
    /// What links call it by, the program's own word for it in the whole run; `nil` where none needs to.
    var id: String?
    /// The source object that it is associated with, one of the batch.
    var source: Int64?
    var entity: String
    /// Values by attribute; an attribute that isn't there has its default.
    var values: [String: Value]
    /// The line of the program's output that says so.
    var line: Int
  }

  /// An object that a link leads from or to.
  enum Reference: Sendable, Hashable {
    /// One that the program made, in this batch or an earlier one.
    case made(String)
    /// What an entity mapping made of a source object; `nil` for the program's own.
    case source(Int64, mapping: String?)
  }

  struct Link: Sendable, Hashable {
    var from: Reference
    var relationship: String
    var to: Reference
    /// The line of the program's output that says so.
    var line: Int
  }

  var objects: [Object] = []
  var links: [Link] = []
}
