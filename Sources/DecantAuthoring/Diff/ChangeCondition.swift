/// A condition that a store's values must meet for a light change.
enum ChangeCondition: String {
  /// Every number fits into the smaller type.
  case valuesFit = "values-fit"
  /// No two objects have equal values in a new uniqueness constraint.
  case noneEqual = "none-equal"

  /// The words that follow the change in a list of differences.
  var note: String {
    switch self {
    case .valuesFit: "where the values fit"
    case .noneEqual: "where no two are equal"
    }
  }
}
