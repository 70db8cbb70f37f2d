internal import DecantAuthoring
package import DecantConsole
internal import DecantMapping
internal import Foundation

/// The program `decant`.
public enum CommandLineTool {
  /// The commands, grouped by subject, in the order of the help.
  static let groups: [(title: String, commands: [Command])] = [
    (
      "Models and mapping models",
      [
        HashCommand.command, SchemaCommand.command, DiffCommand.command, InferCommand.command,
        MappingCommand.command, ClassesCommand.command, PortCommand.command, CheckCommand.command,
        GenerateCommand.command, WorkerNewCommand.command,
      ]
    ),
    (
      "Stores",
      [
        InspectCommand.command, ExplainCommand.command, PlanCommand.command, MigrateCommand.command,
        LedgerCommand.command, VerifyCommand.command, AssociationsCommand.command,
      ]
    ),
    (
      "The daemon",
      [
        StatusCommand.command, TopCommand.command, SubmitCommand.command, RetryCommand.command,
        CancelCommand.command, ForgetCommand.command, PauseCommand.command, ResumeCommand.command,
      ]
    ),
    ("Shells", [CompletionsCommand.command { commands }]),
  ]

  /// Every command, in the order of the help.
  package static let commands: [Command] = groups.flatMap(\.commands)

  /// Runs a command on the process's own standard streams, and ends the process.
  public static func exit(arguments: [String]) -> Never {
    // With this signal ignored, writing to a closed pipe fails with an error, which Console handles.
    signal(SIGPIPE, SIG_IGN)
    // With this signal ignored, a write beyond the limit on file sizes fails with an error that is reported.
    signal(SIGXFSZ, SIG_IGN)
    Foundation.exit(run(arguments, .standard(), unreadable: ArgumentBytes.unreadable()))
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - unreadable: The first word that isn't UTF-8, as messages print it; such a command is refused. `nil` if all
  ///     words are UTF-8.
  /// - Returns: The exit code.
  package static func run(_ arguments: [String], _ console: Console, unreadable: String? = nil) -> Int32 {
    var code: Int32
    do throws(CommandFailure) {
      if let unreadable {
        throw CommandFailure(
          .usage, "“\(unreadable)” isn't UTF-8, and a command takes only text.",
          advice: "For a store: copy it, with the files beside it, to a name that is UTF-8, and name the copy.")
      }
      code = try CommandAttempt(arguments).run { () throws(CommandFailure) in try dispatch(arguments, console) }
    } catch {
      error.tell(on: console)
      if asksForJSON(arguments) { console.print(error.json.lines) }
      code = error.exitCode
    }
    if let failure = console.outputFailure {
      console.say("decant: Standard output can't be written: \(String(cString: strerror(failure))).")
      code = code == ExitCode.success ? ExitCode.inputOutput : code
    }
    return code
  }

  private static func dispatch(_ arguments: [String], _ console: Console) throws(CommandFailure) -> Int32 {
    let helpWidth = min(console.output.width, 100)
    guard let first = arguments.first else {
      console.tell(HelpText.overview(groups, width: min(console.messages.width, 100)))
      return ExitCode.usage
    }
    switch first {
    case "--version":
      console.print(HelpText.version)
      return ExitCode.success
    case "-h", "--help", "help":
      let names = arguments.dropFirst().filter { !$0.hasPrefix("-") }
      guard first == "help", !names.isEmpty else {
        console.print(HelpText.overview(groups, width: helpWidth).trimmedEnd)
        return ExitCode.success
      }
      console.print(HelpText.help(try command(of: names).command, width: helpWidth).trimmedEnd)
      return ExitCode.success
    default: break
    }
    guard !first.hasPrefix("-") else {
      let nearest = NearName.of(first.filter { $0 != "-" }, among: ["help", "version"], completes: true)
      throw hinted(UsageError.unknownOption(first, nearest: nearest), "decant --help")
    }
    let (command, words) = try command(of: arguments)
    let parsed: Arguments
    do {
      parsed = try Arguments(words, of: command)
    } catch {
      throw hinted(error, "decant \(command.name) --help")
    }
    guard !parsed.has("help") else {
      console.print(HelpText.help(command, width: helpWidth).trimmedEnd)
      return ExitCode.success
    }
    do throws(CommandFailure) {
      return try command.run(parsed, console)
    } catch {
      throw error.naming(parsed, commands)
    }
  }

  private static func asksForJSON(_ arguments: [String]) -> Bool {
    guard let command = try? command(of: arguments).command else { return false }
    return command.options.contains { $0.name == "json" }
      && arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// A name may have two words, such as “worker new”.
  private static func command(
    of words: [String]
  ) throws(CommandFailure) -> (command: Command, rest: [String]) {
    for length in [2, 1] {
      let name = words.prefix(length).joined(separator: " ")
      if let command = commands.first(where: { $0.name == name }) {
        return (command, Array(words.dropFirst(length)))
      }
    }
    let first = words.first ?? ""
    let group = commands.filter { $0.name.hasPrefix("\(first) ") }
    if let only = group.first {
      let rest = Array(words.dropFirst())
      if rest.isEmpty || rest[0].hasPrefix("-") { return (only, rest) }
      let name = words.prefix(2).joined(separator: " ")
      let nearest = NearName.of(name, among: group.map(\.name), completes: true)
      throw hinted(UsageError.unknownCommand(name, nearest: nearest), "decant \(only.name) --help")
    }
    let nearest = NearName.of(first, among: commands.map(\.name), completes: true)
    throw hinted(UsageError.unknownCommand(first, nearest: nearest), "decant --help")
  }

  private static func hinted(_ error: UsageError, _ line: String) -> CommandFailure {
    CommandFailure(.usage, error.description, advice: "“\(line)” shows the usage.")
  }
}

extension String {
  fileprivate var trimmedEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
