internal import DecantConsole

/// The completion script for zsh.
enum ZshCompletion {
  static func script(_ table: CompletionTable) -> String {
    """
    #compdef decant
    # Completions of decant for zsh, made by “decant completions zsh”.

    # Adds the words that the program prints for the catalogue or daemon that the options select.
    _decant_ask() {
      local -a found places
      local name
      for name in --models --config --socket --spool; do
        if [[ -n ${opt_args[$name]-} ]]; then places+=($name ${~${(Q)opt_args[$name]}}); fi
      done
      found=(${(f)"$(_call_program values decant completions $1 ${(q)places} 2>/dev/null)"})
      compadd -a found
    }

    _decant() {
      local curcontext=$curcontext name
      local -A opt_args
      local -a commands
      if ((CURRENT == 2)); then
        if [[ $words[2] == -* ]]; then
          _arguments \(CompletionTable.own.map { specification($0.0, $0.1) }.joined(separator: " "))
          return
        fi
        commands=(
    \(table.firstWords.map { "      " + described($0.word, $0.help) }.joined(separator: "\n"))
        )
        _describe -t commands 'command' commands
        return
      fi
      name=$words[2]
      shift words
      ((CURRENT -= 1))
      case $name in
    \(table.pairs.map { group($0) }.joined(separator: "\n"))
      esac
      case $name in
    \(table.commands.map { command($0) }.joined(separator: "\n"))
        help)
          _arguments '1:command:(\(table.firstWords.map(\.word).joined(separator: " ")))'
          ;;
      esac
    }

    _decant "$@"

    """
  }

  /// `'word:help'` for `_describe`.
  private static func described(_ word: String, _ help: String) -> String {
    CompletionTable.quoted(word + ":" + help.replacing(":", with: "\\:"))
  }

  private static func group(_ pair: (first: String, second: String, help: String)) -> String {
    """
        \(pair.first))
          if ((CURRENT == 2)); then
            commands=(\(described(pair.second, pair.help)))
            _describe -t commands 'command' commands
            return
          fi
          name="\(pair.first) $words[2]"
          shift words
          ((CURRENT -= 1))
          ;;
    """
  }

  private static func command(_ command: Command) -> String {
    var lines = command.options.map { option in
      specification(option.name, option.help, option.placeholder.map { ($0, action(option.kind)) })
    }
    for (argument, number, isRepeated) in command.positions {
      let place = isRepeated ? "*" : "\(number)"
      let optional = argument.isOptional ? ":" : ""
      lines.append(CompletionTable.quoted("\(place):\(optional)\(argument.name):\(action(argument.kind))"))
    }
    return """
          \(CompletionTable.quoted(command.name)))
            _arguments -S \\
              \(lines.joined(separator: " \\\n        "))
            ;;
      """
  }

  /// `'--name=[help]:VALUE:action'` for `_arguments`.
  private static func specification(
    _ name: String, _ help: String, _ value: (name: String, action: String)? = nil
  ) -> String {
    var help = CompletionTable.short(help)
    for sign in ["\\", "[", "]", ":"] { help = help.replacing(sign, with: "\\" + sign) }
    let end = value.map { ":\($0.name):\($0.action)" } ?? ""
    return CompletionTable.quoted("--\(name)\(value == nil ? "" : "=")[\(help)]\(end)")
  }

  /// A space at the start of an action keeps `_arguments` from adding words of its own.
  private static func action(_ kind: Command.Kind) -> String {
    switch kind {
    case .model, .file: "_files"
    case .folder: "_files -/"
    case .number, .text: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .asked(let question): " _decant_ask \(question.rawValue)"
    }
  }
}
