/// What has to hold of a store's values for a light change; else the plan refuses the store.
enum ChangeCondition: String {
  /// Every number fits into the smaller type.
  case valuesFit = "values-fit"
  /// No two objects are equal in what becomes unique.
  case noneEqual = "none-equal"

  /// What stands behind the change.
  var note: String {
    switch self {
    case .valuesFit: "where the values fit"
    case .noneEqual: "where no two are equal"
    }
  }
}
