/// What a change of the model asks of stores.
enum ChangeEffect: String, Comparable {
  /// Stores stay as they are: nothing that they hold or are recognised by changes.
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
