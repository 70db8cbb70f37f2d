internal import DecantConsole

/// The completion script for bash.
///
/// It needs bash 4.4 or newer.
enum BashCompletion {
  static func script(_ table: CompletionTable) -> String {
    """
    # Completions of decant for bash, made by “decant completions bash”.

    # The options of a command, one a line.
    _decant_options() {
      case $1 in
    \(table.commands.map { options($0) }.joined(separator: "\n"))
        '') printf '%s\\n' \(CompletionTable.own.map { "--\($0.0)" }.joined(separator: " ")) ;;
      esac
    }

    # The kind of value that an option or a position takes; nothing for a flag.
    _decant_kind() {
      case $1:$2 in
    \(table.commands.flatMap { kinds($0) }.joined(separator: "\n"))
      esac
    }

    # Adds the words of standard input that begin with a text. Readline quotes them.
    _decant_add() {
      local found
      while IFS= read -r found; do
        if [[ $found == "$1"* ]]; then COMPREPLY+=("$found"); fi
      done
    }

    _decant() {
      local word=${COMP_WORDS[COMP_CWORD]} name='' option='' kind='' position=1 ended='' part i
      local places=()
      COMPREPLY=()
      # Bash gives “--to=V” as three words.
      if [[ $word == = ]]; then word=; fi
      for ((i = 1; i < COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        if [[ $part == = ]]; then continue; fi
        if [[ -n $option ]]; then
          # Pass on the options that select the catalogue and the daemon.
          case $option in
            --models | --config | --socket | --spool)
              part=${part//[\\\\\\"\\']/}
              places+=("$option" "${part/#\\~\\//$HOME/}")
              ;;
          esac
          option=
          continue
        fi
        case $ended$part in
          --) ended=1 ;;
          -*) if [[ -n $(_decant_kind "$name" "$part") ]]; then option=$part; fi ;;
          *)
            case $name:$part in
    \(table.pairs.map { "          \($0.first):\($0.second)) name='\($0.first) \($0.second)' ;;" }.joined(separator: "\n"))
              :*) name=$part ;;
              *) ((position += 1)) ;;
            esac
            ;;
        esac
      done
      word=${word//[\\\\\\"\\']/}
      if [[ -n $option ]]; then
        kind=$(_decant_kind "$name" "$option")
      elif [[ -z $ended && $word == -* ]]; then
        _decant_add "$word" < <(_decant_options "$name")
        return
      elif [[ -z $name ]]; then
        _decant_add "$word" < <(printf '%s\\n' \(table.firstWords.map(\.word).joined(separator: " ")))
        return
      else
        kind=$(_decant_kind "$name" "$position")
      fi
      case $kind in
        '' | none) ;;
        file) compopt -o default ;;
        folder) compopt -o dirnames ;;
        'words '*)
          # shellcheck disable=SC2086 # several words
          _decant_add "$word" < <(printf '%s\\n' ${kind#words })
          ;;
        *)
          compopt -o filenames
          _decant_add "$word" < <("${COMP_WORDS[0]/#\\~\\//$HOME/}" completions "${kind#ask }" "${places[@]}" 2>/dev/null)
          ;;
      esac
    }

    complete -F _decant decant

    """
  }

  private static func options(_ command: Command) -> String {
    let words = command.options.map { "--\($0.name)" }.joined(separator: " ")
    return "    \(CompletionTable.quoted(command.name))) printf '%s\\n' \(words) ;;"
  }

  private static func kinds(_ command: Command) -> [String] {
    var lines: [String] = []
    func add(_ place: String, _ kind: Command.Kind, _ quotes: Bool = true) {
      let pattern = CompletionTable.quoted("\(command.name):\(quotes ? place : "")") + (quotes ? "" : place)
      lines.append("    \(pattern)) printf '%s' \(CompletionTable.quoted(word(of: kind))) ;;")
    }
    for option in command.options where option.placeholder != nil { add("--\(option.name)", option.kind) }
    for (argument, number, isRepeated) in command.positions {
      if isRepeated { add("[1-9]*", argument.kind, false) } else { add("\(number)", argument.kind) }
    }
    for pair in CompletionTable(commands: [command]).pairs {
      lines.append("    '\(pair.first):1') printf '%s' 'words \(pair.second)' ;;")
    }
    return lines
  }

  private static func word(of kind: Command.Kind) -> String {
    switch kind {
    case .model, .file: "file"
    case .folder: "folder"
    case .number, .text: "none"
    case .words(let words): "words " + words.joined(separator: " ")
    case .asked(let question): "ask \(question.rawValue)"
    }
  }
}
