internal import DecantConsole
internal import DecantMapping

/// `decant completions SHELL`: prints the script with which a shell completes command lines.
enum CompletionsCommand {
  private static let shells = ["bash", "zsh", "fish"]

  /// - Parameter commands: All commands, including this command.
  static func command(for commands: @escaping @Sendable () -> [Command]) -> Command {
    Command(
      "completions", summary: "Prints the script with which a shell completes command lines of decant.",
      examples: [
        .init(
          line: "decant completions bash",
          meaning: "For bash: into ~/.local/share/bash-completion/completions/decant, or read with “source”."),
        .init(line: "decant completions zsh", meaning: "For zsh: into _decant in a folder of fpath."),
        .init(
          line: "decant completions fish", meaning: "For fish: into ~/.config/fish/completions/decant.fish."),
      ],
      arguments: [
        .init(
          name: "SHELL", kind: .words(shells + CompletionQuestion.allCases.map(\.rawValue)),
          help: "bash, zsh or fish; or a word with which the scripts ask for names: "
            + CompletionQuestion.allCases.map(\.rawValue).joined(separator: ", ") + ".")
      ],
      options: [
        .init(
          "models", "DIR", kind: .folder, help: "The catalogue whose families or versions are printed."),
        .init("family", "NAME", kind: .asked(.families), help: "With versions: those of this family."),
        .socket, .askedSpool, .configuration,
      ],
      notes: [
        "The installed packages have the scripts already. Names of families, versions, jobs and drops are completed "
          + "if they can be read."
      ],
      run: { arguments, console throws(CommandFailure) in
        try run(CompletionTable(commands: commands()), arguments, console)
      })
  }

  private static func run(_ table: CompletionTable, _ arguments: Arguments, _ console: Console)
    throws(CommandFailure) -> Int32
  {
    switch arguments[0] {
    case "bash": console.output(script: BashCompletion.script(table))
    case "zsh": console.output(script: ZshCompletion.script(table))
    case "fish": console.output(script: FishCompletion.script(table))
    case let word:
      guard let question = CompletionQuestion(rawValue: word) else {
        let near = NearName.of(word, among: shells)
        throw CommandFailure(
          .usage, "“\(word)” isn't a known shell." + (near.map { " Did you mean “\($0)”?" } ?? ""),
          advice: "Name bash, zsh or fish.")
      }
      console.print(question.words(arguments))
    }
    return ExitCode.success
  }
}

extension Console {
  fileprivate func output(script: String) { print(script.hasSuffix("\n") ? String(script.dropLast()) : script) }
}
