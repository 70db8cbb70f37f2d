/// One worker of the pool and its state.
final class WorkerMember {
  private enum State {
    case starting
    case idle
    case busy(String)
    case leaving
  }

  let process: WorkerProcess
  /// The path of a team's worker; `nil` for Decant's own.
  let executable: String?
  /// The state of that file when the process was started.
  let build: String?
  private var state = State.starting
  /// When the state began, and when the worker last wrote something; seconds of the steady clock.
  private(set) var since: Double
  var heardAt: Double
  private(set) var finishedJobs = 0
  /// Whether the worker has sent an event about its current job.
  private(set) var hasSpokenOfJob = false
  /// Why the pool has ended the worker.
  var endCause: WorkerDeath.Cause?
  /// When it was asked to stop its job.
  var stopAskedAt: Double?
  /// Whether it was started with outdated settings; then it takes no further job.
  var isOutdated = false

  init(process: WorkerProcess, executable: String?, build: String? = nil, at now: Double) {
    self.process = process
    self.executable = executable
    self.build = build
    since = now
    heardAt = now
  }

  var job: String? { if case .busy(let job) = state { job } else { nil } }
  var isIdle: Bool { if case .idle = state { endCause == nil && !isOutdated } else { false } }
  /// Whether it is idle, even if it may take no job.
  var isWithoutJob: Bool { if case .idle = state { true } else { false } }
  var isStarting: Bool { if case .starting = state { true } else { false } }
  var isLeaving: Bool { if case .leaving = state { true } else { false } }

  func greet(at now: Double) {
    guard case .starting = state else { return }
    state = .idle
    since = now
  }

  func begin(_ job: String, at now: Double) {
    state = .busy(job)
    since = now
    heardAt = now
    hasSpokenOfJob = false
  }

  /// Excludes a time from the worker's silence, because the pool wasn't checked then.
  func postpone(by seconds: Double) {
    heardAt += seconds
    since += seconds
    stopAskedAt? += seconds
  }

  func noteSpoken() { hasSpokenOfJob = true }

  func finish(isLast: Bool, at now: Double) {
    finishedJobs += 1
    state = .idle
    since = now
    if isLast || isOutdated { letGo(at: now) }
  }

  /// Asks the worker to exit by itself.
  func letGo(at now: Double) {
    process.closeInput()
    state = .leaving
    since = now
  }
}
