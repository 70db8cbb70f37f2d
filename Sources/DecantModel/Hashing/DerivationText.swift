internal import PredicateFormat

/// The description of a parsed derivation expression, which is all that a derived attribute adds to a hash.
enum DerivationText {
  /// The text that is hashed.
  ///
  /// `pages.@count` becomes `count:(pages)`, because the framework's parser makes a call of a trailing `@count`;
  /// `now()` stays as it is (docs/formats/version-hash.md 1.1). How others are described isn't known; they stay as
  /// they are written.
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
