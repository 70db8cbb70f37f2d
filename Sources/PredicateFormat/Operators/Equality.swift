/// `a == b`, `a != b`.
///
/// nil equals only nil and NaN. Numbers are compared by value, and truth values count as 0 and 1. Strings are compared
/// by their UTF-8 bytes; with `[c]` or `[d]` they are folded first. Lists are equal if their members are equal in
/// order; sets are equal in any order. Values of different kinds are not equal, and comparing them isn't an error.
enum Equality {
  static func holds(_ left: Value, _ right: Value, _ options: ComparisonOptions = []) -> Bool {
    switch (left, right) {
    case (.string(let a), .string(let b)):
      return options.isFolding
        ? Bytes.areEqual(Folding.text(a, options), Folding.text(b, options)) : Bytes.areEqual(a, b)
    // Dates are compared by time, because zero has two forms.
    case (.date(let a), .date(let b)): return a == b || (a.isNaN && b.isNaN)
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { holds($0, $1, options) }
    case (.set(let a), .set(let b)):
      let (a, b) = (Distinct.keys(a, options), Distinct.keys(b, options))
      return a == b
    case (.dictionary(let a), .dictionary(let b)):
      return a.count == b.count
        && a.allSatisfy { key, value in b[key].map { holds(value, $0, options) } ?? false }
    default:
      if let a = Number(left), let b = Number(right) { return Number.compare(a, b) == 0 }
      return (left.isNull || isNaN(left)) ? right.isNull || isNaN(right) : left == right
    }
  }

  private static func isNaN(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}
