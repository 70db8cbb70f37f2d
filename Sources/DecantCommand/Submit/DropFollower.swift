internal import DecantConsole
internal import DecantReport
internal import FileNames
internal import Foundation

/// Follows a drop until its store is in `done/` or `failed/`.
struct DropFollower: DropFollowing {
  /// The seconds between two requests for the status.
  private static let pace = 0.25
  /// The seconds after which the follower gives up if no daemon answers, or if nothing shows the drop.
  private static let patience = 30.0

  let client: HealthClient
  let spool: String
  /// The jobs that existed before the drop; some may be of drops with the same name.
  private var before: Set<String>

  /// Records the jobs that exist now, before the drop.
  init(_ client: HealthClient, spool: String) throws(CommandFailure) {
    (self.client, self.spool) = (client, spool)
    let status = try client.status().values
    if let own = status.spool, StoreFiles.identity(own) != StoreFiles.identity(spool) {
      throw CommandFailure(
        .usage, "The daemon on “\(client.path)” uses the spool “\(own)”, not “\(spool)”.",
        advice: "Name both with --config.")
    }
    before = Set(Self.jobs(of: nil, in: status)).union(DropOutcome.jobs(in: spool))
  }

  /// Records the jobs again; the next new job with the drop's name is the drop's job.
  mutating func lookAgain() throws(CommandFailure) {
    before.formUnion(Self.jobs(of: nil, in: try client.status().values))
    before.formUnion(DropOutcome.jobs(in: spool))
  }

  func outcome(of drop: String, show: (String) -> Void) throws(CommandFailure) -> DropOutcome? {
    let name = PrintedName.of(drop)
    var seenAt = ContinuousClock.now
    var problem: CommandFailure?
    // Once the job is known, a later drop of the same name isn't mistaken for this drop.
    var job: String?
    var queue = HiddenQueue()
    while !StopSignals.isAsked {
      do throws(CommandFailure) {
        let status = try client.status().values
        job = job ?? firstJob(of: name, in: status)
        if let job, let result = status.results?.first(where: { $0.job == job }) {
          return DropOutcome(result, spool: spool, drop: drop)
        }
        if job == nil, let blocked = status.blocked?.first(where: { $0.drop == name }) {
          throw Self.failure(blocked)
        }
        problem = nil
        if let words = words(for: name, job, in: status) {
          seenAt = .now
          queue = HiddenQueue()
          show(words)
        } else if job == nil, StoreFiles.exists("\(spool)/incoming/\(drop)") {
          seenAt = .now
          show("“\(name)” waits in incoming")
        } else if queue.mayHold(status) {
          show("“\(name)” may be queued")
        }
      } catch {
        guard [.noDaemon, .badAnswer].contains(error.reason) else { throw error }
        problem = error
        show("the daemon doesn't answer")
      }
      let silence = seenAt.duration(to: .now) / .seconds(1)
      if silence > 1, let outcome = outcomeInFolders(of: drop, job) { return outcome }
      guard silence < Self.patience || (problem == nil && queue.mayHold) else { throw lost(name, problem) }
      StopSignals.wait(seconds: Self.pace)
    }
    return nil
  }

  private func outcomeInFolders(of drop: String, _ job: String?) -> DropOutcome? {
    guard let job else { return DropOutcome.inFolders(of: spool, drop: drop, known: before) }
    return DropOutcome.ofJob(job, drop: PrintedName.of(drop), in: spool)
  }

  private func words(for name: String, _ job: String?, in status: DaemonStatus) -> String? {
    guard let job else { return nil }
    if let job = status.running?.first(where: { $0.job == job }) {
      let words = JobWords(job: job)
      let parts = ["\(words.percent) %", words.work] + (words.left.map { ["about \($0) left"] } ?? [])
      return "“\(name)”: \(parts.joined(separator: ", "))"
    }
    if let job = status.waiting?.first(where: { $0.job == job }) {
      return "“\(name)” waits: \(job.message ?? job.cause ?? "")"
    }
    return Self.jobs(of: name, in: status).contains(job) ? "“\(name)” is queued" : nil
  }

  private func firstJob(of name: String, in status: DaemonStatus) -> String? {
    // A job's name ends with the number of its arrival.
    func arrival(_ job: String) -> Int { job.split(separator: "-").last.flatMap { Int($0) } ?? .max }
    return Self.jobs(of: name, in: status).filter { !before.contains($0) }.min { arrival($0) < arrival($1) }
  }

  /// The jobs in all lists.
  ///
  /// - Parameter drop: The name of the drop whose jobs are wanted; `nil` for all jobs.
  private static func jobs(of drop: String?, in status: DaemonStatus) -> [String] {
    let all: [(String, String?)] =
      (status.running ?? []).map { ($0.job, $0.drop) } + (status.waiting ?? []).map { ($0.job, $0.drop) }
      + (status.queued ?? []).map { ($0.job, $0.drop) } + (status.results ?? []).map { ($0.job, $0.drop) }
    return all.filter { drop == nil || $0.1 == drop }.map(\.0)
  }

  private static func failure(_ blocked: DaemonStatus.Blocked) -> CommandFailure {
    let command = blocked.command.flatMap { $0.isEmpty ? nil : " Fix it with: \($0)" } ?? ""
    return CommandFailure(
      .badData, blocked.message, advice: "The drop stays in incoming until that is fixed.\(command)")
  }

  private func lost(_ name: String, _ problem: CommandFailure?) -> CommandFailure {
    if let problem {
      return CommandFailure(
        problem.reason, problem.message, exitCode: ExitCode.unavailable,
        advice: "“\(name)” was dropped. The daemon continues with this drop when it starts again.")
    }
    return CommandFailure(
      .noSuchJob, "The daemon doesn't know the drop “\(name)” any more.",
      exitCode: ExitCode.tryAgain, advice: "Look into the folders done and failed of “\(spool)”.")
  }
}
