/// The description of a parsed derivation expression, which is all that a derived attribute adds to a hash.
enum DerivationText {
  /// `pages.@count` becomes `count:(pages)`, because the parser makes a call of a trailing `@count`; function calls
  /// such as `now()` stay as they are (version-hash.md, “Derived attribute”).
  static func parsed(_ format: String) -> String {
    let text = format.trimmingPrefix(while: \.isWhitespace)
    let suffix = ".@count"
    guard text.hasSuffix(suffix) else { return String(text) }
    return "count:(\(text.dropLast(suffix.count)))"
  }
}
