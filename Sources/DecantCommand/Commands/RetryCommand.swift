internal import DecantConsole
internal import DecantMapping
internal import DecantModel
internal import DecantReport
internal import FileNames

/// `decant retry JOB`: tries a job again.
enum RetryCommand {
  static let command = Command(
    "retry",
    summary:
      "Drops refused stores again, for example after the catalogue was corrected; or tries a waiting job again at once.",
    examples: [
      .init(line: "decant retry 20261120T140000-000007", meaning: "A refused job, by its name."),
      .init(
        line: "decant retry --all --reason not-inferable", meaning: "All stores that were refused for a reason."
      ),
      .init(
        line: "decant retry --all --reason not-inferable --dry-run", meaning: "Lists them, and changes nothing."
      ),
      .init(
        line: "decant retry Notas --from-start",
        meaning: "Discards what a running or waiting job has done so far, and begins it again."),
    ],
    arguments: [
      .init(
        name: "JOB", kind: .asked(.failedJobs),
        help: "The name of the job, of its folder in failed/, or of its drop.",
        isOptional: true)
    ],
    options: [
      .init("all", help: "All refused stores with the reason of --reason."),
      .init(
        "reason", "WORD", kind: .words(FailureReason.all.map(\.word)),
        help: "A reason in reason.json, such as not-inferable."),
      .init("dry-run", help: "Only prints what would be dropped again."),
      .init("from-start", help: "Begins a job again that is not over, without its earlier work."),
      .askedSpool, .socket, .configuration, .json,
    ],
    notes: [
      "The original moves back into incoming/ by a rename, under the name of its drop and with its request; if the name "
        + "is in use, a number is added. Then the folder in failed/ is removed with its report files. The new job starts "
        + "from the beginning.",
      "A job that waits for a retry or for the catalogue is tried again at once. With --from-start a waiting, queued "
        + "or running job also loses its working files and its count of attempts; a running job stops after its chunk "
        + "first. The original store doesn't change.",
      "If a drop has several refused jobs, its latest job is meant. With --all, a store that can't be dropped doesn't "
        + "stop the others; the exit code is then that of the first failure.",
      "The command needs the permissions of the daemon's user. Exit code 66 if there is no such job, 77 without permission, "
        + "69 if only --socket names the spool and no daemon answers.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let place = try DaemonPlace(arguments)
    let client = HealthClient(path: place.socket)
    let fromStart = arguments.has("from-start")
    let act: (SpoolEntry) throws(CommandFailure) -> String = { entry throws(CommandFailure) in
      try arguments.has("dry-run") ? entry.dropPath() : entry.dropAgain()
    }
    switch (arguments.has("all"), arguments.value("reason"), arguments[0]) {
    case (true, let reason?, "") where !fromStart:
      let spool = try place.spool(arguments, asking: client)
      return try dropAll(reason, in: spool, arguments, console, act)
    case (false, nil, let job) where !job.isEmpty && !(fromStart && arguments.has("dry-run")):
      let spool = try place.spool(arguments, asking: client)
      let entry: SpoolEntry
      do throws(CommandFailure) {
        if fromStart, try hurry(job, "restart", client, arguments, console) { return ExitCode.success }
        entry = try SpoolEntry.named(job, in: spool, places: ["failed"])
      } catch {
        guard error.reason == .noSuchJob, !arguments.has("dry-run"),
          try hurry(job, "retry", client, arguments, console)
        else { throw error }
        return ExitCode.success
      }
      let path = try act(entry)
      console.print(arguments.has("json") ? JSON.array([json(entry, path)]).lines : [path])
      return ExitCode.success
    default:
      throw CommandFailure(
        .usage,
        "Name either one job, or --all with --reason WORD; --from-start needs a job and does not go with --dry-run.",
        advice: "“decant retry --help” shows the usage.")
    }
  }

  /// Orders the daemon to try a job again, if the job isn't over.
  ///
  /// - Parameter order: `restart`, or `retry` for a job that waits.
  /// - Returns: Whether the order was sent.
  private static func hurry(
    _ name: String, _ order: String, _ client: HealthClient, _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> Bool {
    guard let status = try? client.status().values, let active = status.active(name) else { return false }
    guard active.isWaiting || order == "restart" else {
      throw CommandFailure(
        .noSuchJob, "Job \(active.job) doesn't wait for anything.", exitCode: ExitCode.tryAgain,
        advice: "“decant retry \(active.job) --from-start” begins it again.")
    }
    try client.order("/jobs/\(active.job)/\(order)", "retry jobs")
    if arguments.has("json") {
      console.print(JSON.array([.object(["job": .string(active.job), "path": .null])]).lines)
    } else {
      console.say(
        "decant: Job \(active.job) \(order == "retry" ? "is tried again now" : "begins from the start").")
    }
    return true
  }

  private static func dropAll(
    _ reason: String, in spool: String, _ arguments: Arguments, _ console: Console,
    _ act: (SpoolEntry) throws(CommandFailure) -> String
  ) throws(CommandFailure) -> Int32 {
    let (isJSON, isDry) = (arguments.has("json"), arguments.has("dry-run"))
    let failed = try SpoolEntry.failed(in: spool)
    let entries = failed.filter { $0.paper.reason == reason }
    if entries.isEmpty { try check(reason) }
    var results: [JSON] = []
    var code = ExitCode.success
    var count = 0
    for entry in entries {
      do throws(CommandFailure) {
        let path = try act(entry)
        count += 1
        results.append(json(entry, path))
        if !isJSON { console.print(path) }
      } catch {
        if code == ExitCode.success { code = error.exitCode }
        if isJSON, case .object(var failure) = error.json {
          failure["job"] = .string(entry.name)
          results.append(.object(failure))
        }
        error.tell(on: console)
      }
    }
    if isJSON {
      console.print(JSON.array(results).lines)
    } else {
      let left = entries.count - count
      console.say(
        (isDry
          ? "decant: Would drop \(counted(count, "store")) again; nothing was changed."
          : "decant: Dropped \(counted(count, "store")) again.")
          + (left > 0 ? " \(counted(left, "store")) couldn't be dropped." : ""))
    }
    return code
  }

  /// Called only if no store was refused for this word, so that a reason of another version of Decant is accepted.
  private static func check(_ reason: String) throws(CommandFailure) {
    let words = FailureReason.all.map(\.word)
    guard !words.contains(reason) else { return }
    let near = NearName.of(reason, among: words)
    throw CommandFailure(
      .usage, "There is no reason “\(reason)”." + (near.map { " Did you mean “\($0)”?" } ?? ""),
      advice: "Each reason.json in failed has its reason; decant(1) lists them all.")
  }

  private static func json(_ entry: SpoolEntry, _ path: String) -> JSON {
    .object(["job": .string(entry.name), "path": .string(path)])
  }
}
