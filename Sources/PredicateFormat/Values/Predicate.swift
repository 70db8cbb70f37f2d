/// A predicate of the language, as a value (docs/formats/predicate-format.md 2).
///
/// AND and OR have two or more parts; a part in parentheses stays a predicate of its own.
public indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE`
  case always
  /// `FALSEPREDICATE`
  case never
  case not(Predicate)
  case and([Predicate])
  case or([Predicate])
  case comparison(Comparison)
}

extension Predicate {
  /// A predicate that is true if all parts are true; without parts it is true, and a single part is used as it
  /// is.
  public static func all(of parts: [Predicate]) -> Predicate {
    switch parts.count {
    case 0: .always
    case 1: parts[0]
    default: .and(parts)
    }
  }

  /// A predicate that is true if at least one part is true; without parts it is false, and a single part is used as it
  /// is.
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
