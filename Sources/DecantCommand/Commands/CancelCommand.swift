internal import DecantConsole
internal import DecantReport

/// `decant cancel JOB`: cancels a job of a running daemon.
enum CancelCommand {
  static let command = Command(
    "cancel", summary: "Cancels a queued, waiting or running job of a running daemon.",
    examples: [
      .init(line: "decant cancel Notas", meaning: "The job of a drop."),
      .init(line: "decant cancel 20261120T140000-000007", meaning: "A job by its name."),
    ],
    arguments: [.init(name: "JOB", kind: .asked(.activeJobs), help: "A job, or the name of its drop.")],
    options: [.socket, .configuration, .quiet],
    notes: [
      "A running job stops after its chunk. Then the original, as it was dropped, is in failed/, with the reason "
        + "“cancelled”, and the path of the job's folder is printed; “decant retry” drops the original again.",
      "Only root and the daemon's user may cancel jobs. Exit code 66 if the daemon has no such job, or if the job was "
        + "over first; 69 if no daemon runs; 75 after Ctrl-C (the job still stops), or if the daemon forgets the job "
        + "meanwhile.",
    ], run: run)

  /// The seconds between two requests for the status.
  private static let pace = 0.25
  /// The seconds after which the command gives up, if neither the status nor the folders show the job.
  private static let patience = 30.0

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let client = HealthClient(path: try DaemonPlace(arguments).socket)
    let name = arguments[0]
    let start = try client.status().values
    guard let (job, drop, _) = start.active(name) else {
      throw CommandFailure(
        .noSuchJob, "The daemon has no queued, waiting or running job “\(name)”.",
        advice: "“decant status '\(name)'” shows whether it is over.")
    }
    try client.order("/jobs/\(job)/cancel", "cancel jobs")
    return try StopSignals.watching { () throws(CommandFailure) in
      var line = TalkLine(console, isQuiet: arguments.has("quiet"))
      defer { line.end() }
      var seenAt = ContinuousClock.now
      while !StopSignals.isAsked {
        let status = try client.status().values
        if let result = status.results?.first(where: { $0.job == job }) {
          line.end()
          return try conclude(job, result.reason, result.folder ?? result.place, console)
        }
        if status.active(job) != nil { seenAt = .now }
        let silence = seenAt.duration(to: .now) / .seconds(1)
        // After a restart the daemon doesn't know earlier results, but their folders are there.
        if silence > 1, let spool = status.spool ?? start.spool,
          let outcome = DropOutcome.ofJob(job, drop: drop, in: spool)
        {
          line.end()
          return try conclude(job, outcome.reason, outcome.folder, console)
        }
        guard silence < patience else {
          throw CommandFailure(
            .noSuchJob, "The daemon doesn't know job \(job) any more.", exitCode: ExitCode.tryAgain,
            advice: "Look into the folders done and failed of its spool.")
        }
        line.show("waiting until job \(job) has stopped")
        StopSignals.wait(seconds: pace)
      }
      throw CommandFailure(
        .stopped, "Stopped waiting. Job \(job) will still be cancelled.",
        advice: "“decant status \(job)” shows when it is over.")
    }
  }

  private static func conclude(_ job: String, _ reason: String?, _ folder: String, _ console: Console)
    throws(CommandFailure) -> Int32
  {
    guard reason == FailureReason.cancelled.word else {
      throw CommandFailure(
        .noSuchJob, "Job \(job) was over before it could be cancelled.", advice: "It is in \(folder).")
    }
    console.print([PlainText.of(folder)])
    return ExitCode.success
  }
}
