/// A predicate of the language, as a value (docs/formats/predicate-format.md 2).
///
/// AND and OR hold their parts side by side, however many; what parentheses keep apart stays apart.
public indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE`
  case always
  /// `FALSEPREDICATE`
  case never
  case not(Predicate)
  /// Two parts or more.
  case and([Predicate])
  /// Two parts or more.
  case or([Predicate])
  case comparison(Comparison)
}

extension Predicate {
  /// All of the parts; none is true, one is itself.
  public static func all(of parts: [Predicate]) -> Predicate {
    switch parts.count {
    case 0: .always
    case 1: parts[0]
    default: .and(parts)
    }
  }

  /// One of the parts; none is false, one is itself.
  public static func any(of parts: [Predicate]) -> Predicate {
    switch parts.count {
    case 0: .never
    case 1: parts[0]
    default: .or(parts)
    }
  }

  /// A comparison without modifier.
  public static func compare(
    _ left: Expression, _ operation: ComparisonOperator, _ right: Expression, _ options: ComparisonOptions = []
  ) -> Predicate {
    .comparison(Comparison(left: left, operation: operation, right: right, options: options))
  }
}
