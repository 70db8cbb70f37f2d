internal import DecantConsole
internal import DecantModel
internal import DecantReport

/// `decant pause`: makes a running daemon take no drops and start no jobs.
enum PauseCommand {
  static let command = Command(
    "pause", summary: "Makes a running daemon take no drops and start no jobs, until “decant resume”.",
    examples: [
      .init(line: "decant pause", meaning: "Running jobs go on; nothing else begins."),
      .init(
        line: "decant pause --stop-jobs",
        meaning: "Running jobs stop after their chunk, too; waits until none runs."),
    ],
    arguments: [],
    options: [
      .init("stop-jobs", help: "Stops running jobs after their chunk; they continue from there later."),
      .socket,
      .configuration, .quiet,
    ],
    notes: [
      "Drops stay in incoming, and /readyz answers 503 with the reason. Results that are complete are still "
        + "delivered. A restart of the daemon doesn't end the pause.",
      "Only root and the daemon's user may do that. Exit code 69 if no daemon runs, 75 after Ctrl-C, while jobs still "
        + "stop; the daemon is paused then.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let client = HealthClient(path: try DaemonPlace(arguments).socket)
    let stopsJobs = arguments.has("stop-jobs")
    let isQuiet = arguments.has("quiet")
    try client.order(stopsJobs ? "/pause?stop-jobs" : "/pause", "pause the daemon")
    return try StopSignals.watching { () throws(CommandFailure) in
      var line = TalkLine(console, isQuiet: isQuiet)
      defer { line.end() }
      let status = try StatusWait(client).wait { status in
        guard status.pause != nil else { return false }
        let running = status.jobs?.running ?? 0
        if stopsJobs, running > 0 {
          line.show("\(counted(running, "job stops after its chunk", "jobs stop after their chunks"))")
        }
        return !stopsJobs || running == 0
      } whenPatienceEnds: {
        $0.pause == nil
      }
      line.end()
      if !isQuiet {
        let running = status.jobs?.running ?? 0
        console.say(
          "decant: The daemon is paused."
            + (running == 0 ? "" : " \(counted(running, "running job goes", "running jobs go")) on."))
      }
      return ExitCode.success
    }
  }
}

/// `decant resume`: ends a pause.
enum ResumeCommand {
  static let command = Command(
    "resume", summary: "Ends the pause of a running daemon.",
    examples: [.init(line: "decant resume", meaning: "Drops are taken, and jobs start and continue.")],
    arguments: [], options: [.socket, .configuration, .quiet],
    notes: [
      "A daemon that isn't paused goes on as before. Only root and the daemon's user may do that. Exit code 69 if no "
        + "daemon runs."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let client = HealthClient(path: try DaemonPlace(arguments).socket)
    try client.order("/resume", "end the pause")
    return try StopSignals.watching { () throws(CommandFailure) in
      _ = try StatusWait(client).wait {
        $0.pause == nil
      } whenPatienceEnds: {
        $0.pause != nil
      }
      if !arguments.has("quiet") { console.say("decant: The daemon goes on.") }
      return ExitCode.success
    }
  }
}
