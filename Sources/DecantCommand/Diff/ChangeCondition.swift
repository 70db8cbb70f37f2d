/// A condition of a light change for a store's values; the plan refuses other stores.
enum ChangeCondition: String {
  /// Every number fits into the smaller type.
  case valuesFit = "values-fit"
  /// No two objects have equal values in a new uniqueness constraint.
  case noneEqual = "none-equal"

  /// The text after the change.
  var note: String {
    switch self {
    case .valuesFit: "where the values fit"
    case .noneEqual: "where no two are equal"
    }
  }
}
