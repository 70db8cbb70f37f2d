/// `@sum`, `@avg`, `sum:`, `average:`: members that are nil count as 0, as documented (docs/formats/predicate-format.md
/// 3.2).
///
/// The sum of an empty collection is 0, and its average is nil. The sum of integers is an integer if each partial
/// sum fits 64 bits; otherwise it is a double. An average is a decimal if the sum is a decimal of moderate size
/// (`Number.moderate`). Otherwise the average is a double.
enum Summing {
  static func sum(_ values: [Value]) throws(EvaluationError) -> Value { try total(values).value }

  static func average(_ values: [Value]) throws(EvaluationError) -> Value {
    guard !values.isEmpty else { return .null }
    let total = try total(values)
    let count = Number.integer(Int64(values.count))
    if case .integer(let whole) = total { return .double(Double(whole) / Double(values.count)) }
    return (total / count)?.value ?? .null
  }

  private static func total(_ values: [Value]) throws(EvaluationError) -> Number {
    var total = Number.integer(0)
    for value in values {
      guard let number = try Numbers.one(value) else { continue }
      total = total + number
    }
    return total
  }
}
