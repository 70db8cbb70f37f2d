/// A condition that a store's values must meet for a light change; a store that doesn't meet the condition is refused.
enum ChangeCondition: String {
  /// Every number fits into the smaller type.
  case valuesFit = "values-fit"
  /// No two objects have equal values in a new uniqueness constraint.
  ///
  /// With `validation: "quarantine"`, the store isn't refused: of the objects with equal values, all but one are
  /// quarantined.
  case noneEqual = "none-equal"

  /// The words that follow the change in a list of differences.
  var note: String {
    switch self {
    case .valuesFit: "where the values fit"
    case .noneEqual: "where no two are equal"
    }
  }
}
