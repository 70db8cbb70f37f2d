internal import DecantMigration
package import DecantReport
internal import Foundation
internal import Glibc

/// Runs one job in one worker process; the caller waits for it.
package struct WorkerRun {
  /// The seconds that a worker has for its greeting.
  static let graceSeconds = 30.0
  /// The longest time between two checks that counts as silence; a longer time means that this process was frozen.
  private static let longestPause = Duration.seconds(10)

  package let executable: String
  /// The seconds without standard output after which the worker is ended; 0 for no limit.
  let hangSeconds: Double

  package init(executable: String, hangSeconds: Double) {
    self.executable = executable
    self.hangSeconds = hangSeconds
  }

  /// The worker's greeting, with its classes.
  ///
  /// - Throws: `MigrationFailure` with the reason `worker-unusable`.
  package func greeting() throws(MigrationFailure) -> WorkerEvent.Hello {
    let process = try start(["--list", "--json"])
    return try hello(from: process)
  }

  /// Sends a job and waits for its end.
  ///
  /// - Parameters:
  ///   - shouldStop: Called several times a second; true asks the worker to stop at its next chunk.
  ///   - said: Gets the lines that the policies write to standard output or standard error.
  ///   - progress: Called in the caller's thread.
  /// - Throws: `MigrationFailure` with one of these reasons. The chunks that the worker has committed stay in the work
  ///   folder.
  ///   - `worker-unusable`: the worker can't be started, sends no greeting, or has another version or protocol.
  ///   - `worker-died`: the worker ended during the job, didn't accept the job, or sent wrong events.
  ///   - `worker-hung`: the worker was ended because it wrote nothing for `hangSeconds`.
  ///   - Any other reason: the failure that the worker reported.
  package func run(
    _ job: WorkerJob, shouldStop: () -> Bool, said: @escaping (String) -> Void = { _ in },
    progress: (MigrationProgress) -> Void
  ) throws(MigrationFailure) -> MigrationReport {
    let process = try start(["--jobs", "1"])
    _ = try hello(from: process)
    var lines = SpokenLines()
    process.listener = { lines.take($0).forEach(said) }
    defer {
      // Lines that the policies wrote before the last event may not be read yet.
      process.drainErrors()
      process.listener = nil
      lines.end().map(said)
    }
    guard process.send(job) else {
      throw died(process, .misbehaviour("it didn't accept the job"))
    }
    process.closeInput()
    var silence = Duration.zero
    var lookedAt = ContinuousClock.now
    var heardBytes = 0
    var isStopping = false
    while true {
      if shouldStop(), !isStopping {
        isStopping = true
        process.terminate()
      }
      wait(process, milliseconds: 200)
      let end = process.reap()
      for event in try events(of: process) {
        guard event.job == job.id else {
          throw died(process, .misbehaviour("it named a job that it doesn't have"))
        }
        if let now = event.progress { progress(now) }
        if let report = event.report { return report }
        if let failure = event.failure { throw failure }
      }
      if let end { throw died(process, .end(end)) }
      // Time in which this process was frozen doesn't count as the worker's silence.
      let pause = lookedAt.duration(to: .now)
      lookedAt += pause
      silence = process.heardBytes == heardBytes ? silence + min(pause, Self.longestPause) : .zero
      heardBytes = process.heardBytes
      if hangSeconds > 0, silence > .seconds(hangSeconds) {
        throw died(process, .hung(seconds: hangSeconds))
      }
    }
  }

  private func start(_ arguments: [String]) throws(MigrationFailure) -> WorkerProcess {
    do throws(WorkerStartFailure) {
      return try WorkerProcess(executable: executable, arguments: arguments)
    } catch {
      throw unusable(error.description)
    }
  }

  private func hello(from process: WorkerProcess) throws(MigrationFailure) -> WorkerEvent.Hello {
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(Self.graceSeconds) {
      wait(process, milliseconds: 200)
      let end = process.reap()
      let said: [WorkerEvent]
      do throws(WorkerLineFailure) {
        said = try process.events()
      } catch {
        throw unusable("The program “\(executable)” is not a worker: it wrote “\(error.start)”.")
      }
      if let hello = said.first?.hello {
        if let obstacle = hello.obstacle {
          throw unusable("The worker “\(executable)” can't be used: \(obstacle).")
        }
        return hello
      }
      if let end {
        throw unusable(
          "The worker “\(executable)” ended \(end.words) before its greeting."
            + (process.lastWords.isEmpty
              ? "" : " Its last output: \(process.lastWords.joined(separator: " | "))"))
      }
    }
    throw unusable("The worker “\(executable)” sent no greeting within \(Int(Self.graceSeconds)) s.")
  }

  private func events(of process: WorkerProcess) throws(MigrationFailure) -> [WorkerEvent] {
    do throws(WorkerLineFailure) {
      return try process.events()
    } catch {
      throw died(process, .misbehaviour("it wrote a line that isn't an event: “\(error.start)”"))
    }
  }

  private func wait(_ process: WorkerProcess, milliseconds: Int32) {
    var slots = [process.output, process.errors].filter { $0 >= 0 }.map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // If both pipes are closed, only wait for the end.
    if slots.isEmpty { slots = [pollfd(fd: -1, events: 0, revents: 0)] }
    poll(&slots, nfds_t(slots.count), milliseconds)
  }

  // MARK: Failures

  private func unusable(_ message: String) -> MigrationFailure {
    MigrationFailure(
      .workerUnusable, message: message,
      advice: "A worker is an executable built on the product DecantWorker.")
  }

  private func died(_ process: WorkerProcess, _ cause: WorkerDeath.Cause) -> MigrationFailure {
    process.kill()
    let death = WorkerDeath(
      worker: "The worker “\(executable)”", executable: executable, cause: cause, place: process.place,
      lastWords: process.lastWords, family: process.family)
    let advice = death.advice(
      chunkSetting: "--chunk-size, or chunkSize in family.json5", hangSetting: "--hang-seconds",
      memory: "Give this machine or container more memory, then run the same command again.")
    return death.failure(.fault, advice: "The store is unchanged. \(advice)")
  }
}
