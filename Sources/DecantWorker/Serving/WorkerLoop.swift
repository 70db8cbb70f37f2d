internal import DecantCatalogue
package import DecantMigration
package import DecantPolicies
package import DecantReport
internal import Foundation
internal import Glibc
internal import LineOutput

/// Reads jobs, runs them one after another and reports each outcome, until its input closes, a stop is requested or a
/// limit is reached.
package struct WorkerLoop {
  /// The function that migrates a store: `Migration.run`, or a test's own.
  package typealias Run =
    (MigrationJob, @escaping @Sendable () -> Bool, @escaping @Sendable (MigrationProgress) -> Void)
    throws(MigrationFailure)
    -> MigrationReport

  /// The maximum length of a job's line, in bytes.
  static let jobLineLimit = 1 << 20

  let input: Int32
  let output: WorkerOutput
  let options: WorkerOptions
  let stop: StopSignal
  /// Receives the place of the work; `nil` if no note was given.
  private let note: WorkNoteWriter?
  let run: Run
  let policies: PolicyRegistry
  /// The catalogue that a job has read, for the next job.
  private let shelf = CatalogueShelf()

  package init(
    input: Int32, output: Int32, options: WorkerOptions, stop: StopSignal,
    policies: PolicyRegistry = PolicyRegistry(),
    run: @escaping Run = { (job, shouldStop, progress) throws(MigrationFailure) in
      try Migration.run(job, shouldStop: shouldStop, progress: progress)
    }
  ) {
    self.input = input
    self.output = WorkerOutput(descriptor: output)
    self.options = options
    note = options.note.map { WorkNoteWriter(WorkNote(descriptor: $0)) }
    self.stop = stop
    self.run = run
    self.policies = policies
  }

  /// - Returns: The exit code: 0, 65 if a line of input isn't a job or is too long, or 74 if the input can't be read.
  package func serve() -> Int32 {
    let start = ContinuousClock.now
    var lines = LineBuffer(limit: Self.jobLineLimit)
    var done = 0
    output.send(WorkerEvent(hello: .init(policies)))
    while waitForInput() {
      switch DescriptorIO.read(input) {
      case .nothing: continue
      case .end: return 0
      case .failed(let code):
        let text = "The worker's input can't be read: \(String(cString: strerror(code)))\n"
        // Without standard error, the exit code has to be enough.
        _ = DescriptorIO.write(Data(text.utf8), to: 2)
        return 74
      case .bytes(let bytes):
        for line in lines.append(Data(bytes)) {
          guard let job = try? JSONLine.decode(WorkerJob.self, from: line) else { return 65 }
          done += 1
          let isOld = options.seconds.map { start.duration(to: .now) >= .seconds($0) } ?? false
          let isLast = isOld || options.jobs.map { done >= $0 } ?? false
          output.send(perform(job, isLast: isLast))
          if isLast || stop.isStopped || output.isBroken { return 0 }
        }
        if lines.overflowed { return 65 }
      }
    }
    return 0
  }

  /// Waits for input; false if the worker has to end.
  private func waitForInput() -> Bool {
    while !stop.isStopped {
      var slots = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&slots, 2, -1) < 0, errno != EINTR { return false }
      if slots[0].revents != 0 { return true }
    }
    return false
  }

  private func perform(_ job: WorkerJob, isLast: Bool) -> WorkerEvent {
    ProcessMemory.resetPeak()
    ProcessLimits.beginJob(options)
    // Two workers must never write one output, even if a killed daemon's worker is still running.
    let lock = open(job.workFolder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let reason = String(cString: strerror(errno))
      if lock >= 0 { close(lock) }
      return WorkerEvent(
        job: job.id,
        failure: MigrationFailure(
          .workFolderBusy, message: "The work folder “\(job.workFolder)” can't be locked: \(reason).",
          advice: "Another worker may still use it. Decant tries again."), last: isLast)
    }
    defer {
      // `close` alone could leave the lock: a process that is being started has the descriptor, too, until its exec.
      flock(lock, LOCK_UN)
      close(lock)
    }
    let output = self.output
    let stop = self.stop
    var migration = job.migrationJob
    migration.policies = policies
    if let note {
      migration.placeRecorder = { note.write($0, from: $1) }
      note.write(WorkPlace.nowhere)
    }
    migration.shelf = shelf
    let end: WorkerEvent
    do throws(MigrationFailure) {
      let pace = ProgressPace()
      let report = try run(migration, { stop.isStopped || output.isBroken }) { progress in
        if pace.isDue(of: progress.family) { output.send(WorkerEvent(job: job.id, progress: progress)) }
      }
      end = WorkerEvent(job: job.id, report: report)
    } catch {
      end = WorkerEvent(job: job.id, failure: error)
    }
    var event = end
    event.peakMemory = ProcessMemory.bytes()
    event.last = isLast
    return event
  }
}
