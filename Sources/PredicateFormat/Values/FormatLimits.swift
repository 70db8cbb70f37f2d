/// Limits for a text or an archive of unknown origin.
public enum FormatLimits {
  /// Nested levels of expressions and predicates; a chain of AND or OR is one level.
  public static let maximumDepth = 100
  /// Nested parentheses and arguments in a text; a printed expression uses up to two for each level.
  public static let maximumNesting = 210
  /// Size of a text in bytes.
  public static let maximumBytes = 1 << 20
}
