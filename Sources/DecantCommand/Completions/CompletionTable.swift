internal import DecantConsole

/// The facts about the commands that the completion scripts of all shells need.
///
/// The scripts and `decant --help` are made from the same descriptions.
struct CompletionTable {
  /// The options of the program without a command.
  static let own = [("help", "Shows the help."), ("version", "Shows Decant's version.")]

  let commands: [Command]

  /// The words that can come first, each with its meaning.
  var firstWords: [(word: String, help: String)] {
    var words: [(word: String, help: String)] = []
    for command in commands {
      let word = Self.first(of: command.name)
      if !words.contains(where: { $0.word == word }) { words.append((word, Self.short(command.summary))) }
    }
    return words + [("help", "Shows the help of a command.")]
  }

  /// The commands whose names have two words.
  var pairs: [(first: String, second: String, help: String)] {
    commands.compactMap { command in
      let words = command.name.split(separator: " ").map(String.init)
      return words.count == 2 ? (words[0], words[1], Self.short(command.summary)) : nil
    }
  }

  static func first(of name: String) -> String { name.split(separator: " ").first.map(String.init) ?? name }

  /// The first part of a sentence, without its full stop.
  static func short(_ help: String) -> String {
    var text = help[...]
    for mark in ["; ", ". ", ": ", " ("] {
      if let range = text.firstRange(of: mark) { text = text[..<range.lowerBound] }
    }
    return String(text.last == "." ? text.dropLast() : text)
  }

  /// A text as one word in single quotes, for bash and zsh.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}

extension Command {
  /// The arguments by position, from 1; the last one may stand for all further positions.
  var positions: [(argument: Argument, number: Int, isRepeated: Bool)] {
    arguments.enumerated().map { ($1, $0 + 1, repeatsLast && $0 == arguments.count - 1) }
  }
}
