internal import PredicateFormat

/// The description of a derivation expression, which is hashed for a derived attribute.
enum DerivationText {
  /// The text for the hash.
  ///
  /// `pages.@count` becomes `count:(pages)`, because the framework's parser converts a trailing `@count` into a call.
  /// `now()` is unchanged (docs/formats/version-hash.md 1.1). The descriptions of other expressions aren't known, so
  /// their text is taken without leading white space.
  static func parsed(_ format: String) -> String {
    let text = String(format.trimmingPrefix(while: \.isWhitespace))
    switch try? FormatExpression(parsing: format) {
    case .keyPath(let path) where path.steps.count > 1 && path.steps.last == .collection(.count):
      return "count:(\(FormatExpression.path(from: path.operand, path.steps.dropLast())))"
    case .function("now", let arguments) where arguments.isEmpty: return "now()"
    default: return text
    }
  }
}
