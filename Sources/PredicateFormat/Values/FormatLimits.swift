/// Limits for a text or an archive of unknown origin.
public enum FormatLimits {
  /// The number of nested levels of expressions and predicates; a chain of AND or OR is one level.
  public static let maximumDepth = 100
  /// The number of nested levels that the parser enters in a text, such as parentheses, arguments and right operands.
  ///
  /// It is larger than `maximumDepth`, because a printed expression uses up to two of these for each level.
  public static let maximumNesting = 210
  /// The size of a text in bytes.
  public static let maximumBytes = 1 << 20
}
