/// The language's functions by name (docs/formats/predicate-format.md 3.4).
///
/// If a value is nil, functions of one or two values give nil. A result that isn't a number, such as the root
/// of -1 or a division by zero, is nil.
enum Functions {
  /// The result; `nil` if the language has no such function.
  static func value(
    _ name: String, _ arguments: [Value], _ state: inout EvaluationState
  ) throws(EvaluationError) -> Value? {
    guard FunctionName.isKnown(name) else { return nil }
    guard arguments.count == FunctionName.arguments(of: name) else {
      throw EvaluationError(
        .mismatch(
          expected: FunctionName.arguments(of: name) == 1
            ? "1 argument for “\(name)”" : "\(FunctionName.arguments(of: name)) arguments for “\(name)”",
          found: "\(arguments.count)"))
    }
    switch (name, arguments.count) {
    case ("now", _): return .date(state.context.now)
    case ("random", _): return Chance.number(&state)
    case ("random:", 1): return try Chance.number(below: arguments[0], &state)
    case ("castObject:toType:", 2):
      guard case .string(let type) = arguments[1] else {
        throw .mismatch(arguments[1], expected: "a type's name")
      }
      return try Casting.value(arguments[0], type: type)
    case ("distanceToLocation:fromLocation:", _):
      throw EvaluationError(
        .unsupported("“distanceToLocation:fromLocation:”, the distance of two places on earth,"))
    case (_, 1): return try one(name, arguments[0], &state)
    case (_, 2): return try two(name, arguments[0], arguments[1])
    default: return nil
    }
  }

  private static func one(
    _ name: String, _ value: Value, _ state: inout EvaluationState
  ) throws(EvaluationError) -> Value? {
    if let statistic = Statistics(rawValue: name) {
      if let members = value.members { try state.spend(members.count) }
      return try statistic.value(value)
    }
    switch name {
    case "count:": return try Counting.value(value)
    case "noindex:": return value
    case "uppercase:": return try Texts.uppercase(value)
    case "lowercase:": return try Texts.lowercase(value)
    case "onesComplement:": return try Bits.complement(value)
    default:
      guard let number = try Numbers.one(value) else { return .null }
      return Rounding(rawValue: name)?.value(number) ?? Logarithms(rawValue: name)?.value(number)
    }
  }

  private static func two(_ name: String, _ left: Value, _ right: Value) throws(EvaluationError) -> Value? {
    if let arithmetic = Arithmetic(rawValue: name) { return try arithmetic.value(left, right) }
    return try Bits(rawValue: name)?.value(left, right)
  }
}
