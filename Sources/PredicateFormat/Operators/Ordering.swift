/// `a < b`, `a <= b`, `a > b`, `a >= b`.
///
/// The result is false if a side is nil or NaN. Numbers are compared by value, dates by time, and strings by their
/// UTF-8 bytes. With `[c]` or `[d]`, strings are folded first. Other kinds have no order, and comparing different kinds
/// is an error.
enum Ordering {
  /// -1, 0 or 1; `nil` if a side is nil or NaN.
  static func compare(
    _ left: Value, _ right: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Int? {
    switch (left, right) {
    case (.null, _), (_, .null): return nil
    case (.date(let a), .date(let b)): return a.isNaN || b.isNaN ? nil : a < b ? -1 : a > b ? 1 : 0
    case (.string(let a), .string(let b)):
      let (a, b) = (Folding.text(a, options), Folding.text(b, options))
      return Bytes.precedes(a, b) ? -1 : Bytes.precedes(b, a) ? 1 : 0
    case (.boolean, _), (.integer, _), (.double, _), (.decimal, _):
      switch right {
      case .boolean, .integer, .double, .decimal: break
      default: throw .mismatch(right, expected: "a number to compare with a number")
      }
      guard let a = Number(left), let b = Number(right) else { return nil }
      return Number.compare(a, b)
    case (.date, _):
      throw .mismatch(right, expected: "a date to compare with a date, as in CAST(0, \"NSDate\")")
    case (.string, _): throw .mismatch(right, expected: "a string to compare with a string")
    default: throw .mismatch(left, expected: "a number, a date or a string, which have an order")
    }
  }
}
