internal import DecantReport
internal import FileNames
internal import Foundation

/// Follows a drop until its store is in `done/` or `failed/`.
struct DropFollower {
  /// The seconds between two looks.
  private static let pace = 0.25
  /// The seconds without a daemon, or without a trace of the drop, after which it gives up.
  private static let patience = 30.0

  let client: HealthClient
  let spool: String
  /// The jobs before the drop, which may be of drops with the same name.
  private let before: Set<String>

  /// Looks at the jobs of now; the drop comes after it.
  ///
  /// - Throws: `CommandFailure` if there is no daemon, or if it uses another spool.
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

  /// Waits for the end; `nil` if a stop was requested.
  ///
  /// - Parameter show: Takes what happens in words.
  func outcome(of drop: String, show: (String) -> Void) throws(CommandFailure) -> DropOutcome? {
    let name = PrintedName.of(drop)
    var seenAt = ContinuousClock.now
    var problem: CommandFailure?
    while !StopSignals.isAsked {
      do throws(CommandFailure) {
        let status = try client.status().values
        if let result = status.results?.first(where: { $0.drop == name && !before.contains($0.job) }) {
          return DropOutcome(result, spool: spool, drop: drop)
        }
        if let blocked = status.blocked?.first(where: { $0.drop == name }) { throw Self.failure(blocked) }
        problem = nil
        if let words = words(for: name, in: status) {
          seenAt = .now
          show(words)
        } else if StoreFiles.exists("\(spool)/incoming/\(drop)") {
          seenAt = .now
          show("“\(name)” waits in incoming")
        }
      } catch {
        guard [.noDaemon, .badAnswer].contains(error.reason) else { throw error }
        problem = error
        show("the daemon doesn't answer")
      }
      let isSilent = seenAt.duration(to: .now) / .seconds(1) > 1
      if isSilent, let outcome = DropOutcome.inFolders(of: spool, drop: drop, known: before) { return outcome }
      guard seenAt.duration(to: .now) / .seconds(1) < Self.patience else { throw lost(name, problem) }
      StopSignals.wait(seconds: Self.pace)
    }
    return nil
  }

  /// What happens with the drop's job.
  private func words(for name: String, in status: DaemonStatus) -> String? {
    if let job = status.running?.first(where: { $0.drop == name && !before.contains($0.job) }) {
      let words = JobWords(job: job)
      let parts = ["\(words.percent) %", words.work] + (words.left.map { ["about \($0) left"] } ?? [])
      return "“\(name)”: \(parts.joined(separator: ", "))"
    }
    if let job = status.waiting?.first(where: { $0.drop == name && !before.contains($0.job) }) {
      return "“\(name)” waits: \(job.message ?? job.cause ?? "")"
    }
    if Self.jobs(of: name, in: status).contains(where: { !before.contains($0) }) {
      return "“\(name)” is queued"
    }
    // The lists have 100 entries; a job may be further back.
    return (status.jobs?.queued ?? 0) > (status.queued?.count ?? 0) ? "“\(name)” may be queued" : nil
  }

  /// The jobs in all lists.
  ///
  /// - Parameter drop: Only this drop's; `nil` for all.
  private static func jobs(of drop: String?, in status: DaemonStatus) -> [String] {
    let all: [(String, String?)] =
      (status.running ?? []).map { ($0.job, $0.drop) } + (status.waiting ?? []).map { ($0.job, $0.drop) }
      + (status.queued ?? []).map { ($0.job, $0.drop) } + (status.results ?? []).map { ($0.job, $0.drop) }
    return all.filter { drop == nil || $0.1 == drop }.map(\.0)
  }

  private static func failure(_ blocked: DaemonStatus.Blocked) -> CommandFailure {
    let command = blocked.command.flatMap { $0.isEmpty ? nil : " Fix it with: \($0)" } ?? ""
    return CommandFailure(
      .badData, blocked.message, advice: "It stays in incoming until that is fixed.\(command)")
  }

  private func lost(_ name: String, _ problem: CommandFailure?) -> CommandFailure {
    if let problem {
      return CommandFailure(
        problem.reason, problem.message, exitCode: ExitCode.unavailable,
        advice: "“\(name)” was dropped. The daemon continues with it when it starts again.")
    }
    return CommandFailure(
      .noSuchJob, "The daemon doesn't know the drop “\(name)” any more.",
      exitCode: ExitCode.tryAgain, advice: "Look into the folders done and failed of “\(spool)”.")
  }
}
