/// `+ - * / **`, their functions, and `modulus:by:`; the result is nil if a side is nil, and for a division by zero.
///
/// `from:subtract:` and `divide:by:` take their arguments in the order of the text: `a - b` is `from:subtract:(a, b)`.
enum Arithmetic: String {
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"

  func value(_ left: Value, _ right: Value) throws(EvaluationError) -> Value {
    let (first, second) = (try Numbers.one(left), try Numbers.one(right))
    guard let first, let second else { return .null }
    let result: Number? =
      switch self {
      case .add: first + second
      case .subtract: first - second
      case .multiply: first * second
      case .divide: first / second
      case .modulus: first % second
      case .raise: first.raised(to: second)
      }
    return result?.value ?? .null
  }
}
