public import PredicateFormat

extension FormatExpression {
  /// The path `$source.name` (docs/formats/mapping-models.md 3.2, 3.3).
  public static func source(_ name: String) -> FormatExpression {
    .path(from: .variable("source"), [.key(name)])
  }

  /// The keys of a plain path from `$source`, empty for `$source` itself; `nil` for other expressions.
  public var sourceKeys: [String]? {
    switch self {
    case .variable("source"): return []
    case .keyPath(let path):
      guard case .variable("source") = path.operand else { return nil }
      let keys = path.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
      return keys.count == path.steps.count ? keys : nil
    default: return nil
    }
  }

  /// The name in `$source.name`; `nil` for other expressions.
  public var sourceKey: String? {
    guard let keys = sourceKeys, keys.count == 1 else { return nil }
    return keys[0]
  }
}
