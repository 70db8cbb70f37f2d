/// Two expressions and the operator between them (docs/formats/predicate-format.md 3.1).
public struct Comparison: Hashable, Sendable {
  /// Whether the left side itself is compared, or each of its members.
  ///
  /// `NONE` is `NOT ANY`, and `SOME` is `ANY`.
  public enum Modifier: Int, CaseIterable, Hashable, Sendable {
    case direct = 0
    case all = 1
    case any = 2
  }

  public var modifier: Modifier
  public var left: Expression
  public var operation: ComparisonOperator
  public var options: ComparisonOptions
  public var right: Expression

  public init(
    modifier: Modifier = .direct, left: Expression, operation: ComparisonOperator, right: Expression,
    options: ComparisonOptions = []
  ) {
    self.modifier = modifier
    self.left = left
    self.operation = operation
    self.options = options
    self.right = right
  }
}

/// The operators; the raw value is the printed word.
public enum ComparisonOperator: String, CaseIterable, Hashable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case `in` = "IN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  /// Operators for uniform type identifiers; they are parsed and printed, but not evaluated.
  case conformsToUTI = "UTI-CONFORMS-TO"
  case equalsUTI = "UTI-EQUALS"
}

/// How strings are compared; the bits are those of archives.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `c`: without regard to case.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `d`: without regard to diacritics.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `n`: the strings are normalised already and are compared by bytes; Decant always compares by bytes.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `l`: by the rules of a locale.
  ///
  /// Decant compares by bytes here, too, so that a result doesn't depend on the machine.
  public static let localeSensitive = ComparisonOptions(rawValue: 8)

  static let letters: [(letter: Character, option: ComparisonOptions)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
  ]

  /// The letters, `cd`; empty for none.
  public var text: String { String(Self.letters.filter { contains($0.option) }.map(\.letter)) }
}
