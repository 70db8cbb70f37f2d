internal import DecantWorker

/// One worker of the pool and what it is about.
final class WorkerMember {
  private enum State {
    case starting
    case idle
    case busy(String)
    case leaving
  }

  let process: WorkerProcess
  /// The team's worker that this is; `nil` for Decant's own.
  let executable: String?
  /// The state of that file when the process was started.
  let build: String?
  private var state = State.starting
  /// When the state began, and when the worker last said something; seconds of the steady clock.
  private(set) var since: Double
  var heardAt: Double
  private(set) var finishedJobs = 0
  /// Something was said about the job at hand.
  private(set) var hasSpokenOfJob = false
  /// Why the daemon has ended the worker.
  var endCause: WorkerDeath.Cause?
  /// Started with settings that no longer hold: takes no further job.
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
  /// Idle, be it fit for a job or not.
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

  /// Leaves time out of account in which nobody has listened.
  func postpone(by seconds: Double) {
    heardAt += seconds
    since += seconds
  }

  func noteSpoken() { hasSpokenOfJob = true }

  func finish(isLast: Bool, at now: Double) {
    finishedJobs += 1
    state = .idle
    since = now
    if isLast || isOutdated { letGo(at: now) }
  }

  /// Lets the worker end by itself.
  func letGo(at now: Double) {
    process.closeInput()
    state = .leaving
    since = now
  }
}
