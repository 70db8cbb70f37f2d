internal import DecantPolicyPrograms
internal import DecantSpool
internal import Glibc

/// Runs the programs of `onDone` and `onFailed`, a few at a time.
///
/// The end of a program never changes a job.
final class Programs {
  /// The largest number of programs that run at the same time.
  static let width = 4

  private let context: DaemonContext
  /// The jobs whose programs have to run, in order.
  private var waiting: ArraySlice<String> = []
  private var known: Set<String> = []
  private var running: [ProgramRun] = []

  init(_ context: DaemonContext) { self.context = context }

  var isBusy: Bool { !running.isEmpty }

  var descriptors: [Int32] { running.map(\.output).filter { $0 >= 0 } }

  /// When the next program has to get a signal to end, in seconds of the steady clock.
  var deadline: Double { running.map(\.deadline).min() ?? .infinity }

  /// Queues the programs that an earlier daemon has not finished.
  func recover() {
    do throws(FileFailure) {
      for job in try ProgramNote.jobs(in: context.spool) { add(job) }
    } catch {
      context.events.trouble("program", error.description)
    }
  }

  /// Queues the program of a job whose note is in the spool.
  func add(_ job: String) { if known.insert(job).inserted { waiting.append(job) } }

  /// Starts programs, takes their output, and reports those that have failed.
  ///
  /// - Parameter isOpen: Whether further programs may start.
  func turn(at now: Double, isOpen: Bool) {
    running.removeAll { run in
      guard let end = run.turn(at: now, say: { say(.info, "\(run.path) says: \($0)", run.note) }) else {
        return false
      }
      conclude(run.note, failure(of: end).map { "\(run.path) \($0)" })
      return true
    }
    while isOpen, running.count < Self.width, let job = waiting.popFirst() { start(job, at: now) }
  }

  /// Ends the programs that run; the next start of the daemon runs them again.
  func finish() {
    for run in running { run.kill() }
    for run in running { while run.turn(at: .infinity, say: { _ in }) == nil { usleep(1000) } }
    running = []
  }

  private func words(for note: ProgramNote) -> [String]? {
    note.isDone ? context.configuration.onDone : context.configuration.onFailed
  }

  private func start(_ job: String, at now: Double) {
    known.remove(job)
    let note: ProgramNote?
    do throws(FileFailure) {
      note = try ProgramNote.read(job, in: context.spool)
    } catch {
      context.events.say(.warning, "The program for job \(job) doesn't run. \(error)", event: "program")
      return
    }
    guard let note, let words = words(for: note) else { return remove(job) }
    do throws(ChildProcess.Failure) {
      running.append(
        try ProgramRun(
          words, note, spool: context.configuration.spool, limit: context.configuration.programSeconds, at: now)
      )
    } catch {
      conclude(note, "\(words[0]) can't be started: \(String(cString: strerror(error.code)))")
    }
  }

  private func failure(of end: ProgramRun.End) -> String? {
    switch end {
    case .exit(0): nil
    case .exit(let code): "ended with exit code \(code)"
    case .signal(let signal): "was ended by signal \(signal)"
    case .timeLimit(let seconds): "was ended, because it took more than \(ProgressMeter.whole(seconds)) s"
    }
  }

  private func conclude(_ note: ProgramNote, _ failure: String?) {
    if let failure {
      context.events.totals.failedPrograms += 1
      say(.warning, "\(failure). This changes nothing about the job.", note)
    }
    remove(note.record.id)
  }

  private func remove(_ job: String) {
    do throws(FileFailure) {
      try ProgramNote.remove(job, in: context.spool)
      context.events.clear("program")
    } catch {
      context.events.trouble("program", "The program for job \(job) runs again at the next start. \(error)")
    }
  }

  private func say(_ priority: ServiceLog.Priority, _ words: String, _ note: ProgramNote) {
    context.events.say(
      priority, "\(note.isDone ? "onDone" : "onFailed") of job \(note.record.id): \(words)", event: "program",
      about: note.record)
  }
}
