/// `uppercase: lowercase:`: strings by Unicode's mapping, independent of the machine's locale; nil gives nil.
enum Texts {
  static func uppercase(_ value: Value) throws(EvaluationError) -> Value {
    try text(value).map { .string($0.uppercased()) } ?? .null
  }

  static func lowercase(_ value: Value) throws(EvaluationError) -> Value {
    try text(value).map { .string($0.lowercased()) } ?? .null
  }

  private static func text(_ value: Value) throws(EvaluationError) -> String? {
    switch value {
    case .null: return nil
    case .string(let text): return text
    default: throw .mismatch(value, expected: "a string")
    }
  }
}
