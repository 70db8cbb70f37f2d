extension Parser {
  mutating func argument(_ specifier: String) throws(FormatError) -> Expression {
    if specifier == "%K" { return .path(from: .selfObject, try keyPathArgument()) }
    let value = try nextArgument(specifier)
    switch specifier.last {
    case "@": return .literal(value)
    case "s", "S", "c", "C":
      guard case .string = value else { throw mismatch(specifier, "a string", value) }
      return .constant(value)
    default:
      switch value {
      case .integer, .double, .decimal, .boolean: return .constant(value)
      default: throw mismatch(specifier, "a number", value)
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

  private mutating func nextArgument(_ specifier: String) throws(FormatError) -> Value {
    guard specifier != "%%" else {
      throw failure("“%%” is a percent sign, and no percent sign is allowed here")
    }
    guard let arguments else {
      throw failure(
        "“\(specifier)” needs an argument, but stored text has no arguments; write the value or key instead")
    }
    guard arguments.indices.contains(usedArguments) else {
      let areGiven = arguments.count == 1 ? "1 is given" : "\(arguments.count) are given"
      throw failure("“\(specifier)” needs argument \(usedArguments + 1), but only \(areGiven)")
    }
    usedArguments += 1
    return arguments[usedArguments - 1]
  }

  private func mismatch(_ specifier: String, _ expected: String, _ value: Value) -> FormatError {
    failure("“\(specifier)” needs \(expected), but argument \(usedArguments) is \(value.kind)")
  }
}
