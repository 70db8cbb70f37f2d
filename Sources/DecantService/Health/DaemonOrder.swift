/// An order that an administrator sends to the running daemon's socket.
package enum DaemonOrder: Sendable, Hashable {
  case cancel(job: String)
  /// Ends a job's wait for a retry or for the catalogue.
  case retry(job: String)
  /// Discards what a job has done so far, and starts it again.
  case restart(job: String)
  /// - Parameter stopsJobs: Whether running jobs stop after their chunk.
  case pause(stopsJobs: Bool)
  case resume

  /// The order of a path such as `/jobs/JOB/cancel` or `/pause`.
  ///
  /// - Parameter stopsJobs: Whether the request has the argument `stop-jobs`.
  init?(path: String, stopsJobs: Bool) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    switch parts {
    case ["", "pause"]: self = .pause(stopsJobs: stopsJobs)
    case ["", "resume"]: self = .resume
    case _ where parts.count == 4 && parts[0].isEmpty && parts[1] == "jobs" && Self.isJob(parts[2]):
      switch parts[3] {
      case "cancel": self = .cancel(job: parts[2])
      case "retry": self = .retry(job: parts[2])
      case "restart": self = .restart(job: parts[2])
      default: return nil
      }
    default: return nil
    }
  }

  private static func isJob(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x54 || $0 == 0x2D }
  }

  var promise: String {
    switch self {
    case .cancel: "The job is cancelled if it isn't over."
    case .retry: "The job is tried again if it waits."
    case .restart: "The job begins from the start if it isn't over."
    case .pause(true): "The daemon pauses, and running jobs stop after their chunk."
    case .pause(false): "The daemon pauses, and running jobs go on."
    case .resume: "The daemon goes on."
    }
  }
}
