internal import DecantMapping
internal import Foundation

/// The command `decant`: arguments in, one call, exit code out.
public enum CommandLineTool {
  /// Every command, in the order of the help.
  public static let commands: [Command] = [
    HashCommand.command, SchemaCommand.command, InspectCommand.command, DiffCommand.command,
    InferCommand.command, MappingCommand.command, ClassesCommand.command, CheckCommand.command,
    ExplainCommand.command, PlanCommand.command, MigrateCommand.command, VerifyCommand.command,
    AssociationsCommand.command, GenerateCommand.command, StatusCommand.command,
    TopCommand.command, SubmitCommand.command, RetryCommand.command, ForgetCommand.command,
    CancelCommand.command,
  ]

  /// Runs a command on the process's own channels and ends the process.
  public static func exit(arguments: [String]) -> Never {
    // Writing to a closed pipe then fails with an error, which Console handles.
    signal(SIGPIPE, SIG_IGN)
    Foundation.exit(run(arguments, .standard()))
  }

  /// Runs a command.
  ///
  /// - Parameter arguments: The words after the program's name.
  /// - Returns: The exit code.
  public static func run(_ arguments: [String], _ console: Console) -> Int32 {
    var code: Int32
    do {
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
      console.tell(HelpText.overview(commands, width: min(console.messages.width, 100)))
      return ExitCode.usage
    }
    switch first {
    case "--version":
      console.print(HelpText.version)
      return ExitCode.success
    case "-h", "--help", "help":
      guard first == "help", let name = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) else {
        console.print(HelpText.overview(commands, width: helpWidth).trimmedEnd)
        return ExitCode.success
      }
      console.print(HelpText.help(try command(named: name), width: helpWidth).trimmedEnd)
      return ExitCode.success
    default: break
    }
    guard !first.hasPrefix("-") else {
      let nearest = NearName.of(first.filter { $0 != "-" }, among: ["help", "version"], completes: true)
      throw hinted(UsageError.unknownOption(first, nearest: nearest), "decant --help")
    }
    let command = try command(named: first)
    let parsed: Arguments
    do {
      parsed = try Arguments(Array(arguments.dropFirst()), of: command)
    } catch {
      throw hinted(error, "decant \(command.name) --help")
    }
    guard !parsed.has("help") else {
      console.print(HelpText.help(command, width: helpWidth).trimmedEnd)
      return ExitCode.success
    }
    return try command.run(parsed, console)
  }

  /// Whether `--json` is given, so that a failure is JSON, too.
  ///
  /// Words after `--` don't count.
  private static func asksForJSON(_ arguments: [String]) -> Bool {
    guard let command = commands.first(where: { $0.name == arguments.first }) else { return false }
    return command.options.contains { $0.name == "json" }
      && arguments.prefix { $0 != "--" }.contains("--json")
  }

  private static func command(named name: String) throws(CommandFailure) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      let nearest = NearName.of(name, among: commands.map(\.name), completes: true)
      throw hinted(UsageError.unknownCommand(name, nearest: nearest), "decant --help")
    }
    return command
  }

  private static func hinted(_ error: UsageError, _ line: String) -> CommandFailure {
    CommandFailure(.usage, error.description, advice: "“\(line)” shows the usage.")
  }
}

extension String {
  fileprivate var trimmedEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
