final class WorkerMember {
  private enum State {
    case starting
    case idle
    case busy(String)
    case leaving
  }

  let process: WorkerProcess
  /// The path of the worker's executable; `nil` for Decant's own.
  let executable: String?
  /// The state of the executable when the process was started; `nil` for Decant's own.
  let build: String?
  private var state = State.starting
  /// When the state began, in seconds of the steady clock.
  private(set) var since: Double
  /// When the worker last wrote something or got its job, in seconds of the steady clock.
  var heardAt: Double
  private(set) var finishedJobs = 0
  /// Whether the worker has sent an event about its current job.
  private(set) var hasSpokenOfJob = false
  /// Why the pool has ended the worker during a job or before its greeting; `nil` otherwise.
  var endCause: WorkerDeath.Cause?
  /// When the worker was asked to stop its job, in seconds of the steady clock.
  var stopAskedAt: Double?
  /// Whether the worker takes no further job: its settings are outdated, or its job was asked to stop.
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
  /// Whether the worker is idle, even if it takes no further job.
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

  /// Excludes a time from the worker's silence and from its deadlines, because the pool wasn't checked then.
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

  /// Asks the worker to exit by itself, by closing its input.
  func letGo(at now: Double) {
    process.closeInput()
    state = .leaving
    since = now
  }
}
