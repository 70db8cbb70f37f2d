internal import FileNames

extension CommandFailure {
  /// The options that select the daemon.
  private static let place = ["config", "socket", "spool"]

  /// The same failure, but the commands in its advice ask the daemon that the user has named.
  ///
  /// Each “decant …” in the advice gets those of `--config`, `--socket` and `--spool` that the user gave and that the
  /// command accepts.
  package func naming(_ arguments: Arguments, _ commands: [Command]) -> CommandFailure {
    let given = Self.place.compactMap { name in arguments.value(name).map { (name, $0) } }
    guard !given.isEmpty else { return self }
    let advice = advice.replacing(/“decant (?<command>[a-z]+)(?<rest>[^“”]*)”/) { match in
      guard let command = commands.first(where: { $0.name == match.command }) else { return String(match.0) }
      let options = given.filter { name, _ in
        command.options.contains { $0.name == name } && !match.rest.contains("--\(name)")
      }
      return "“decant \(match.command)\(match.rest)"
        + options.map { " --\($0) \(ShellQuoting.quote($1))" }.joined() + "”"
    }
    return CommandFailure(
      reason, message, exitCode: exitCode, details: details, advice: advice, coreDataCode: coreDataCode)
  }
}
