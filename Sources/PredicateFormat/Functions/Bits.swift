/// `bitwiseAnd:with:` and similar functions of whole numbers of 64 bits; nil gives nil, and other values are an error.
///
/// A shift by 64 or more gives 0, or -1 if a negative number is shifted to the right. A negative shift reverses the
/// direction.
enum Bits: String {
  case and = "bitwiseAnd:with:"
  case or = "bitwiseOr:with:"
  case exclusiveOr = "bitwiseXor:with:"
  case left = "leftshift:by:"
  case right = "rightshift:by:"

  func value(_ left: Value, _ right: Value) throws(EvaluationError) -> Value {
    let (first, second) = (try Self.whole(left), try Self.whole(right))
    guard let first, let second else { return .null }
    return switch self {
    case .and: .integer(first & second)
    case .or: .integer(first | second)
    case .exclusiveOr: .integer(first ^ second)
    case .left: .integer(first << second)
    case .right: .integer(first >> second)
    }
  }

  /// Inverts all bits, `onesComplement:`.
  static func complement(_ value: Value) throws(EvaluationError) -> Value {
    try whole(value).map { .integer(~$0) } ?? .null
  }

  private static func whole(_ value: Value) throws(EvaluationError) -> Int64? {
    guard let number = try Numbers.one(value) else { return nil }
    guard let whole = number.whole else { throw .mismatch(value, expected: "a whole number of 64 bits") }
    return whole
  }
}
