internal import PredicateFormat

/// Calls that go to a function of `NativeFunctions` instead of the evaluator, because all kinds are known beforehand.
///
/// The result is the evaluator's, which the property tests hold it against.
enum NativeCalls {
  /// - Returns: `nil` where the evaluator has to do it.
  static func value(_ name: String, _ operands: [Operand]) -> SQLValue? {
    guard let first = operands.first.flatMap(Compiler.scalar) else { return nil }
    switch (name, operands.count) {
    case ("split", 3):
      guard first.kind == .string, case .constant(.string(let separator)) = operands[1],
        case .constant(.integer(let index)) = operands[2]
      else { return nil }
      let arguments = [first.text, SQLText.string(separator), SQLText.integer(index)]
      return SQLValue("\(NativeFunctions.split)(\(arguments.joined(separator: ", ")))", .string)
    case ("firstWord", 1):
      return first.kind == .string ? SQLValue("\(NativeFunctions.firstWord)(\(first.text))", .string) : nil
    case ("lastWord", 1):
      return first.kind == .string ? SQLValue("\(NativeFunctions.lastWord)(\(first.text))", .string) : nil
    case ("nilIfEmpty", 1):
      return first.kind == .string ? SQLValue("NULLIF(\(first.text), '')", .string) : nil
    case ("characterCount", 1):
      return first.kind == .string
        ? SQLValue("\(NativeFunctions.characterCount)(\(first.text))", .integer) : nil
    case ("substring", 2...3):
      let numbers = operands.dropFirst().compactMap(Compiler.scalar)
      guard first.kind == .string, numbers.count == operands.count - 1,
        numbers.allSatisfy({ $0.kind == .integer || $0.kind == .number })
      else { return nil }
      let arguments = [first.text] + numbers.map(\.text)
      return SQLValue("\(NativeFunctions.substring)(\(arguments.joined(separator: ", ")))", .string)
    case ("floor:", 1), ("ceiling:", 1), ("trunc:", 1):
      guard first.kind == .double else { return nil }
      return SQLValue("decant_\(name.dropLast())(\(first.text))", .double)
    case ("formatDate", 2...4):
      let texts = operands.dropFirst().map { operand -> String? in
        if case .constant(.string(let text)) = operand { text } else { nil }
      }
      guard first.kind == .date, let pattern = texts[0], DateStamp(pattern) != nil,
        texts.count < 2 || texts[1] == "en_US_POSIX", texts.count < 3 || ["GMT", "UTC"].contains(texts[2])
      else { return nil }
      return SQLValue("\(NativeFunctions.stamp)(\(first.text), \(SQLText.string(pattern)))", .string)
    default: return nil
    }
  }

  /// A cast that SQLite does as the evaluator.
  static func cast(_ value: SQLValue, to type: String) -> SQLValue? {
    type == "NSString" && value.kind == .integer ? SQLValue("CAST(\(value.text) AS TEXT)", .string) : nil
  }

  /// What the evaluator gives for a call, as far as the function's name tells; texts come back as they are.
  static func kind(of expression: FormatExpression) -> SQLValue.Kind {
    if case .function(let name, _) = expression, let function = Library.function(name), function.result == .text
    {
      return .string
    }
    return .any
  }
}
