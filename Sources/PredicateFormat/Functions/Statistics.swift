/// `average: sum: min: max: median: mode: stddev:` over a collection; nil gives nil.
///
/// `sum:` and `average:` are the same as `@sum` and `@avg`. The others ignore nil members and give nil for an
/// empty collection. `mode:` gives a list of the most frequent members, in the order of their first appearance.
/// `stddev:` is the standard deviation of the whole population.
enum Statistics: String {
  case average = "average:"
  case sum = "sum:"
  case minimum = "min:"
  case maximum = "max:"
  case median = "median:"
  case mode = "mode:"
  case deviation = "stddev:"

  func value(_ collection: Value) throws(EvaluationError) -> Value {
    if collection.isNull { return .null }
    guard let members = collection.members else {
      throw .mismatch(collection, expected: "a collection of numbers")
    }
    switch self {
    case .average: return try Summing.average(members)
    case .sum: return try Summing.sum(members)
    case .minimum: return try Extremes.least(members)
    case .maximum: return try Extremes.greatest(members)
    case .median: return Self.median(try Numbers.all(members))
    case .mode: return Self.mode(try Numbers.all(members))
    case .deviation: return Self.deviation(try Numbers.all(members))
    }
  }

  private static func median(_ numbers: [Number]) -> Value {
    let sorted = numbers.sorted { Number.compare($0, $1) < 0 }
    guard !sorted.isEmpty else { return .null }
    let middle = sorted.count / 2
    if !sorted.count.isMultiple(of: 2) { return sorted[middle].value }
    return (try? Summing.average([sorted[middle - 1].value, sorted[middle].value])) ?? .null
  }

  private static func mode(_ numbers: [Number]) -> Value {
    var counts: [Distinct.Key: Int] = [:]
    for number in numbers { counts[Distinct.Key(value: number.value, options: []), default: 0] += 1 }
    guard let most = counts.values.max() else { return .null }
    let values = Distinct.members(numbers.map(\.value))
    return .array(values.filter { counts[Distinct.Key(value: $0, options: [])] == most })
  }

  private static func deviation(_ numbers: [Number]) -> Value {
    guard !numbers.isEmpty else { return .null }
    let doubles = numbers.map(\.double)
    let mean = doubles.reduce(0, +) / Double(doubles.count)
    let squares = doubles.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Number.double((squares / Double(doubles.count)).squareRoot()).value
  }
}
