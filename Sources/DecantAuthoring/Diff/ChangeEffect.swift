/// What a change of the model means for stores.
enum ChangeEffect: String, Comparable {
  /// Stores stay unchanged: neither their content nor their version hashes change.
  case none
  /// A mapping can be inferred.
  case light
  /// A mapping model is needed.
  case heavy

  private var weight: Int {
    switch self {
    case .none: 0
    case .light: 1
    case .heavy: 2
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.weight < right.weight }
}
