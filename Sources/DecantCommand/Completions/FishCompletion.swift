internal import DecantConsole

/// The completion script for fish.
enum FishCompletion {
  static func script(_ table: CompletionTable) -> String {
    let pairs = table.pairs.map { "\($0.first) \($0.second)" }
    var lines = [
      """
      # Completions of decant for fish, made by “decant completions fish”.

      # The command of the line, from the words before the cursor.
      function __decant_command
          set -l words (commandline -opc)
          if contains -- "$words[2] $words[3]" \(pairs.map { "'\($0)'" }.joined(separator: " "))
              echo "$words[2] $words[3]"
          else
              echo $words[2]
          end
      end

      function __decant_is
          test "$(__decant_command)" = "$argv[1]"
      end

      # The words that the program prints for the catalogue or daemon that the options select.
      function __decant_ask
          set -l words (commandline -opc)
          set -l places
          for i in (seq (count $words))
              switch $words[$i]
                  case --models --config --socket --spool
                      if test $i -lt (count $words)
                          set -a places $words[$i] $words[(math $i + 1)]
                      end
                  case '--models=*' '--config=*' '--socket=*' '--spool=*'
                      set -a places $words[$i]
              end
          end
          decant completions $argv[1] $places 2>/dev/null
      end

      complete -c decant -f
      """
    ]
    func add(_ condition: String, _ rest: String, _ help: String) {
      lines.append("complete -c decant -n \(quoted(condition)) \(rest) -d \(quoted(help))")
    }
    for (name, help) in CompletionTable.own { add("__decant_is ''", "-l \(name)", CompletionTable.short(help)) }
    for (word, help) in table.firstWords { add("__decant_is ''", "-a \(word)", help) }
    for pair in table.pairs { add("__decant_is \(pair.first)", "-a \(pair.second)", pair.help) }
    add("__decant_is help", "-a '\(table.firstWords.map(\.word).joined(separator: " "))'", "Command")
    for command in table.commands {
      let condition = "__decant_is '\(command.name)'"
      for option in command.options {
        let value = option.placeholder == nil ? "" : " " + value(option.kind, isOption: true)
        let letter = option.letter.map { " -s \($0)" } ?? ""
        add(condition, "-l \(option.name)\(letter)\(value)", CompletionTable.short(option.help))
      }
      // In fish, completions don't depend on an argument's position, so those of all arguments are offered.
      for kind in Set(command.arguments.map(\.kind)).sorted(by: { "\($0)" < "\($1)" }) {
        let value = value(kind, isOption: false)
        guard !value.isEmpty, let argument = command.arguments.first(where: { $0.kind == kind }) else {
          continue
        }
        add(condition, value, CompletionTable.short(argument.help))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func value(_ kind: Command.Kind, isOption: Bool) -> String {
    let exclusive = isOption ? "-x " : ""
    return switch kind {
    case .model, .file: isOption ? "-r -F" : "-F"
    case .folder: exclusive + "-a '(__fish_complete_directories)'"
    case .number, .text: isOption ? "-x" : ""
    case .words(let words): exclusive + "-a '\(words.joined(separator: " "))'"
    case .asked(let question): exclusive + "-a '(__decant_ask \(question.rawValue))'"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
