/// An operator in a key path after a collection, as in `pages.@max.length` (docs/formats/predicate-format.md 3.2).
public enum CollectionOperator: String, CaseIterable, Hashable, Sendable {
  case count
  case sum
  case average = "avg"
  case minimum = "min"
  case maximum = "max"
  case distinctUnionOfObjects
  case unionOfObjects
  case distinctUnionOfArrays
  case unionOfArrays
  case distinctUnionOfSets
}

extension CollectionOperator {
  /// Whether a `@count` in the path to the right of this operator counts for each member, as in
  /// `books.@max.pages.@count`.
  ///
  /// After a union, `@count` counts the members of the union.
  var takesCounts: Bool {
    switch self {
    case .sum, .average, .minimum, .maximum: true
    default: false
    }
  }
}

extension ArraySlice<KeyPath.Step> {
  /// Removes and returns the path to the right of an operator.
  ///
  /// The path ends before an index, and before a `@count` if the operator doesn't take counts (`takesCounts`).
  package mutating func takePath(of name: CollectionOperator) -> ArraySlice {
    let end = firstIndex { step in
      switch step {
      case .first, .last, .size, .index: true
      case .collection(.count): !name.takesCounts
      case .key, .collection: false
      }
    }
    defer { self = self[(end ?? endIndex)...] }
    return self[..<(end ?? endIndex)]
  }
}
