/// An error in a command line; the exit code is always 64.
package enum UsageError: Error, Hashable, CustomStringConvertible {
  case unknownCommand(String, nearest: String?)
  case unknownOption(String, nearest: String?)
  case missingValue(option: String, placeholder: String)
  case unwantedValue(option: String)
  case repeated(option: String)
  case badNumber(option: String, value: String, range: ClosedRange<Int>)
  case missingArgument(Command.Argument)
  case surplusArgument(String, expected: Int)
  case emptyArgument(String)
  case standardInput(String)
  case missingOption(Command.Option)

  package var description: String {
    switch self {
    case .unknownCommand(let name, let nearest):
      "There is no command “\(name)”." + (nearest.map { " Did you mean “\($0)”?" } ?? "")
    case .unknownOption(let name, let nearest):
      "There is no option “\(name)”." + (nearest.map { " Did you mean “--\($0)”?" } ?? "")
    case .missingValue(let option, let placeholder): "“--\(option)” needs a value: --\(option) \(placeholder)."
    case .unwantedValue(let option): "“--\(option)” takes no value."
    case .repeated(let option): "“--\(option)” is given twice; give it once."
    case .badNumber(let option, let value, let range):
      "“--\(option)” needs a whole number "
        + (range.upperBound == .max
          ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)")
        + ", not “\(value)”."
    case .missingArgument(let argument): "\(argument.name) is missing: \(Self.continued(argument.help))"
    case .surplusArgument(let word, let expected):
      "“\(word)” is one argument too many: the command takes \(expected == 1 ? "one" : "\(expected)"). A name with "
        + "spaces needs quotes."
    case .emptyArgument(let name): "\(name) is empty."
    case .standardInput(let name):
      "\(name) can't be read from standard input (“-”); name a file or folder."
    case .missingOption(let option):
      "“--\(option.name) \(option.placeholder ?? "")” is missing: \(Self.continued(option.help))"
    }
  }

  /// A sentence in the form after a colon.
  private static func continued(_ sentence: String) -> String {
    let isWord = sentence.dropFirst().first?.isUppercase != true
    return isWord ? sentence.prefix(1).lowercased() + sentence.dropFirst() : sentence
  }
}
