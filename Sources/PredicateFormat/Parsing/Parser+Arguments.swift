extension Parser {
  /// The caller's argument for a place in the text.
  mutating func argument(_ form: String) throws(FormatError) -> Expression {
    if form == "%K" { return .path(from: .selfObject, try keyPathArgument()) }
    let value = try nextArgument(form)
    switch form.last {
    case "@": return .literal(value)
    case "s", "S", "c", "C":
      guard case .string = value else { throw mismatch(form, "a string", value) }
      return .constant(value)
    default:
      switch value {
      case .integer, .double, .decimal, .boolean: return .constant(value)
      default: throw mismatch(form, "a number", value)
      }
    }
  }

  mutating func keyPathArgument() throws(FormatError) -> [KeyPath.Step] {
    let value = try nextArgument("%K")
    guard case .string(let text) = value, let steps = KeyPathText.steps(of: text) else {
      throw mismatch("%K", "the text of a key path", value)
    }
    return steps
  }

  private mutating func nextArgument(_ form: String) throws(FormatError) -> Value {
    guard form != "%%" else { throw failure("“%%” stands for a percent sign, which has no meaning here") }
    guard let arguments else {
      throw failure("“\(form)” takes an argument, and stored text has none: write the value or key itself")
    }
    guard arguments.indices.contains(usedArguments) else {
      let areGiven = arguments.count == 1 ? "1 is given" : "\(arguments.count) are given"
      throw failure("“\(form)” is argument \(usedArguments + 1), and \(areGiven)")
    }
    usedArguments += 1
    return arguments[usedArguments - 1]
  }

  private func mismatch(_ form: String, _ expected: String, _ value: Value) -> FormatError {
    failure("“\(form)” takes \(expected), and argument \(usedArguments) is \(value.kind)")
  }
}
