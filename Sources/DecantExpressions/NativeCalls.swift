internal import PredicateFormat

/// Calls that SQL or a `NativeChain` computes instead of the evaluator, because all kinds are known in advance.
enum NativeCalls {
  static func value(_ name: String, _ operands: [Operand]) -> SQLValue? {
    guard let first = operands.first.flatMap(Compiler.scalar) else { return nil }
    let text = first.kind == .string ? first.asChain : nil
    switch (name, operands.count) {
    case ("split", 3):
      guard let text, case .constant(.string(let separator)) = operands[1],
        case .constant(.integer(let index)) = operands[2]
      else { return nil }
      return made(.split(text, separator: separator, index: index), .string)
    case ("firstWord", 1): return text.flatMap { made(.firstWord($0), .string) }
    case ("lastWord", 1): return text.flatMap { made(.lastWord($0), .string) }
    case ("nilIfEmpty", 1):
      guard let text else { return nil }
      return text.isCall ? made(.nilIfEmpty(text), .string) : SQLValue("NULLIF(\(first.text), '')", .string)
    case ("characterCount", 1): return text.flatMap { made(.characterCount($0), .integer) }
    case ("substring", 2...3):
      let numbers = operands.dropFirst().compactMap(Compiler.scalar)
      guard let text, numbers.count == operands.count - 1,
        numbers.allSatisfy({ $0.kind == .integer || $0.kind == .number })
      else { return nil }
      let count = numbers.count > 1 ? numbers[1].asChain : nil
      return made(.substring(text, numbers[0].asChain, count), .string)
    case ("floor:", 1): return rounded(first, .down)
    case ("ceiling:", 1): return rounded(first, .up)
    case ("trunc:", 1): return rounded(first, .towardZero)
    case ("formatDate", 2...4):
      let texts = operands.dropFirst().map { operand -> String? in
        if case .constant(.string(let text)) = operand { text } else { nil }
      }
      guard first.kind == .date, let pattern = texts[0], DateStamp(pattern) != nil,
        texts.count < 2 || texts[1] == "en_US_POSIX", texts.count < 3 || ["GMT", "UTC"].contains(texts[2])
      else { return nil }
      return made(.stamp(first.asChain, pattern: pattern), .string)
    default: return nil
    }
  }

  private static func made(_ chain: NativeChain, _ kind: SQLValue.Kind) -> SQLValue? {
    chain.sql.map { SQLValue($0, kind, chain: chain) }
  }

  private static func rounded(_ value: SQLValue, _ rounding: NativeChain.Rounding) -> SQLValue? {
    value.kind == .double ? made(.rounded(value.asChain, rounding), .double) : nil
  }

  /// Arithmetic on the result of a chain; the arithmetic becomes a part of the chain.
  static func arithmetic(
    _ left: SQLValue, _ sign: String, _ right: SQLValue, _ kind: SQLValue.Kind
  ) -> SQLValue? {
    let signs: [String: NativeChain.Sign] = ["+": .plus, "-": .minus, "*": .times]
    guard let sign = signs[sign], (left.chain?.isCall ?? false) || (right.chain?.isCall ?? false) else {
      return nil
    }
    return made(.arithmetic(left.asChain, sign, right.asChain), kind)
  }

  static func real(_ value: SQLValue, _ kind: SQLValue.Kind) -> SQLValue {
    if let chain = value.chain, chain.isCall, let real = made(.real(chain), kind) { return real }
    return SQLValue("CAST(\(value.text) AS REAL)", kind)
  }

  /// A cast that SQLite computes like the evaluator; `nil` for any other cast.
  static func cast(_ value: SQLValue, to type: String) -> SQLValue? {
    guard type == "NSString", value.kind == .integer else { return nil }
    if let chain = value.chain, chain.isWhole, let digits = made(.digits(chain), .string) { return digits }
    return SQLValue("CAST(\(value.text) AS TEXT)", .string)
  }

  /// The kind of a call's result; `any` if it isn't known in advance.
  static func kind(of expression: FormatExpression) -> SQLValue.Kind {
    if case .function(let name, _) = expression, let function = Library.function(name), function.result == .text
    {
      return .string
    }
    return .any
  }
}
