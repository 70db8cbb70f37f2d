/// What a text or an archive of unknown origin may cost.
public enum FormatLimits {
  /// Levels of expressions and predicates within each other; a chain of AND or OR is one level.
  public static let maximumDepth = 100
  /// Levels of parentheses and arguments in a text: a printed expression takes up to two for each level.
  public static let maximumNesting = 210
  /// Bytes of a text.
  public static let maximumBytes = 1 << 20
}
