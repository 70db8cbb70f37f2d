internal import DecantMapping

/// A parsed command line, checked against the command's description.
package struct Arguments: Sendable, Hashable {
  package private(set) var positional: [String] = []
  private var values: [String: String] = [:]
  private var flags: Set<String> = []
  private var known: Set<String> = []

  /// Parses the words after the command's name.
  ///
  /// Options may be before, between and after arguments. `--` ends the options. `-` alone is an argument. A value is
  /// the next word or follows `=`.
  package init(_ words: [String], of command: Command) throws(UsageError) {
    known = Set(command.options.map(\.name))
    var index = words.startIndex
    var optionsEnded = false
    while index < words.endIndex {
      let word = words[index]
      index += 1
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        positional.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try takeLong(word, words, &index, command)
      } else {
        try takeLetters(word, command)
      }
    }
    // With --help, the other arguments needn't be correct.
    guard !has("help") else { return }
    try check(against: command)
  }

  /// The argument at a position, from 0; empty if it wasn't given.
  package subscript(index: Int) -> String { positional.indices.contains(index) ? positional[index] : "" }

  /// The value of an option; `nil` if it wasn't given.
  package func value(_ option: String) -> String? { values[option] }

  package func knows(_ option: String) -> Bool { known.contains(option) }

  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value of an option as a whole number; `nil` if it wasn't given.
  ///
  /// - Throws: A failure of usage if the value isn't a number in the range.
  package func number(_ option: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    guard let text = values[option] else { return nil }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text), range.contains(number)
    else {
      throw CommandFailure(.badNumber(option: option, value: text, range: range))
    }
    return number
  }

  private mutating func takeLong(
    _ word: String, _ words: [String], _ index: inout Int, _ command: Command
  ) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = command.options.first(where: { $0.name == name }) else {
      throw .unknownOption(
        "--\(name)", nearest: NearName.of(name, among: command.options.map(\.name), completes: true))
    }
    guard let placeholder = option.placeholder else {
      guard parts.count == 1 else { throw .unwantedValue(option: name) }
      flags.insert(name)
      return
    }
    if parts.count == 2 {
      try set(name, to: String(parts[1]), placeholder)
    } else {
      guard index < words.endIndex,
        words[index] == "-" || !words[index].hasPrefix("-")
          || option.kind == .number && Int(words[index]) != nil
      else {
        throw .missingValue(option: name, placeholder: placeholder)
      }
      try set(name, to: words[index], placeholder)
      index += 1
    }
  }

  private mutating func set(_ name: String, to value: String, _ placeholder: String) throws(UsageError) {
    guard !value.isEmpty else { throw .missingValue(option: name, placeholder: placeholder) }
    guard values.updateValue(value, forKey: name) == nil else { throw .repeated(option: name) }
  }

  private mutating func takeLetters(_ word: String, _ command: Command) throws(UsageError) {
    for letter in word.dropFirst() {
      guard let option = command.options.first(where: { $0.letter == letter }) else {
        let name = String(word.dropFirst())
        throw .unknownOption(
          word, nearest: NearName.of(name, among: command.options.map(\.name), completes: true))
      }
      flags.insert(option.name)
    }
  }

  private func check(against command: Command) throws(UsageError) {
    if positional.count < command.arguments.count, !command.arguments[positional.count].isOptional {
      throw .missingArgument(command.arguments[positional.count])
    }
    if positional.count > command.arguments.count, !command.repeatsLast {
      throw .surplusArgument(positional[command.arguments.count], expected: command.arguments.count)
    }
    func name(_ index: Int) -> String { command.arguments[min(index, command.arguments.count - 1)].name }
    if let index = positional.firstIndex(of: "") { throw .emptyArgument(name(index)) }
    if let index = positional.firstIndex(of: "-") { throw .standardInput(name(index)) }
    for option in command.options where option.isRequired && values[option.name] == nil {
      throw .missingOption(option)
    }
  }
}
