internal import DecantMigration
package import DecantReport
internal import Glibc

/// The worker processes: how many there are, which are free, and their events.
///
/// The pool knows no spool and no ledger. A supervisor gives it jobs and takes its events.
package final class WorkerPool {
  package enum Event: Sendable {
    case progress(job: String, MigrationProgress)
    case report(job: String, MigrationReport, peakMemory: Int?)
    case failure(job: String, MigrationFailure, peakMemory: Int?)
    /// A worker ended during a job.
    case died(job: String, WorkerDeath)
    /// A worker ended, or was ended, before the pool accepted its greeting, so no store is the cause.
    ///
    /// The path is that of a family's worker; `nil` for Decant's own.
    case startFailed(executable: String?, String)
  }

  package struct Settings: Sendable, Hashable {
    package var executable: String
    package var arguments: [String]
    package var count: Int
    package var hangSeconds: Double
    /// The seconds that the worker of a cancelled job, or of a stopped pool, has for its running chunk.
    package var stopSeconds: Double
    package var priority: WorkerPriority

    package init(
      executable: String, arguments: [String], count: Int, hangSeconds: Double, stopSeconds: Double = 90,
      priority: WorkerPriority = WorkerPriority()
    ) {
      self.executable = executable
      self.arguments = arguments
      self.count = count
      self.hangSeconds = hangSeconds
      self.stopSeconds = stopSeconds
      self.priority = priority
    }
  }

  /// The seconds that a worker has for its greeting, or for its exit when asked.
  static let graceSeconds = 30.0
  /// The seconds that a worker without a job is kept.
  static let idleSeconds = 60.0
  /// The longest time between two checks of the workers, in seconds, while the supervisor runs normally.
  ///
  /// A longer gap means that the supervisor or the whole machine was frozen, perhaps with the workers. The part of the
  /// gap beyond this time doesn't count as a worker's silence.
  static let longestPause = 10.0

  package private(set) var settings: Settings
  private(set) var members: [WorkerMember] = []
  /// No worker of an executable starts before this moment, because its last start failed.
  private var startNotBefore: [String?: Double] = [:]
  private var startFailures: [String?: Int] = [:]
  package private(set) var isStopping = false
  /// Why the priority of the last worker couldn't be set; `nil` if it was set, or if no worker has begun.
  package private(set) var priorityTrouble: String?
  private var prioritisedAt = -Double.infinity
  /// When the workers were last checked.
  private var lookedAt: Double?

  package init(settings: Settings) { self.settings = settings }

  /// Changes the settings; workers with the old settings are asked to exit as soon as they have no job.
  ///
  /// A priority that isn't higher is also set for the running workers at once. If nothing else has changed, they stay.
  package func change(to settings: Settings) {
    guard settings != self.settings else { return }
    var former = self.settings
    self.settings = settings
    startNotBefore = [:]
    if settings.priority.isAtMost(former.priority) {
      former.priority = settings.priority
      for member in members { prioritise(member.process.processID) }
      if settings == former { return }
    }
    for member in members { member.isOutdated = true }
  }

  package var aliveCount: Int { members.count }
  package var busyCount: Int { members.count { $0.job != nil } }
  package var idleCount: Int { members.count { $0.isIdle } }

  /// Whether a worker of an executable is free; `nil` stands for Decant's own executable.
  package func hasIdle(of executable: String?) -> Bool {
    members.contains { $0.isIdle && $0.executable == executable }
  }

  package func process(of job: String) -> Int32? { members.first { $0.job == job }?.process.processID }

  /// The descriptors to poll; if one is readable, call `events`.
  package var descriptors: [Int32] {
    members.flatMap { [$0.process.output, $0.process.errors] }.filter { $0 >= 0 }
  }

  /// Starts workers until enough of them are free for the jobs, or until the pool has `count` workers.
  ///
  /// - Parameter executable: The path of a family's worker; `nil` for Decant's own.
  /// - Returns: Why a worker can't be started; `nil` if no start has failed in this call.
  package func provide(forJobs wanted: Int, of executable: String? = nil, at now: Double) -> String? {
    guard !isStopping else { return nil }
    var free = members.count { ($0.isIdle || $0.isStarting) && $0.executable == executable }
    while free < wanted, now >= startNotBefore[executable] ?? -.infinity {
      guard members.count < settings.count else {
        makeRoom(for: executable, at: now)
        return nil
      }
      do throws(WorkerStartFailure) {
        let build = executable.map(ExecutableState.text)
        let process = try WorkerProcess(
          executable: executable ?? settings.executable, arguments: settings.arguments)
        prioritise(process.processID)
        members.append(WorkerMember(process: process, executable: executable, build: build, at: now))
        free += 1
      } catch {
        noteStartFailure(of: executable, at: now)
        return error.description
      }
    }
    return nil
  }

  private func prioritise(_ process: Int32) { priorityTrouble = settings.priority.apply(to: process) }

  /// Sets the priority of busy workers again, because Dispatch gives new threads the usual one.
  package func prioritiseBusy(at now: Double) {
    guard settings.priority != WorkerPriority() else { return priorityTrouble = nil }
    guard now - prioritisedAt >= 1 else { return }
    prioritisedAt = now
    for member in members where member.job != nil { prioritise(member.process.processID) }
  }

  /// Asks an idle worker of another executable to exit, unless one is exiting already.
  private func makeRoom(for executable: String?, at now: Double) {
    guard !members.contains(where: { $0.isLeaving }) else { return }
    members.first { $0.isIdle && $0.executable != executable }?.letGo(at: now)
  }

  /// Gives a job to an idle worker of its executable; false if no such worker takes the job.
  package func assign(_ job: WorkerJob, at now: Double) -> Bool {
    while let member = members.first(where: { $0.isIdle && $0.executable == job.worker }) {
      // If the worker's file has changed, a new process has to be started.
      if member.build == job.worker.map(ExecutableState.text), member.process.send(job) {
        member.begin(job.id, at: now)
        return true
      }
      member.letGo(at: now)
    }
    return false
  }

  /// The workers' events since the last call, including the ends of processes.
  package func events(at now: Double) -> [Event] {
    var events: [Event] = []
    let pause = max(0, now - (lookedAt ?? now) - Self.longestPause)
    lookedAt = now
    for member in members {
      member.postpone(by: pause)
      take(from: member, at: now, into: &events)
      if let end = member.process.reap() {
        // The pipe still holds what the worker wrote before its end.
        take(from: member, at: now, into: &events)
        conclude(member, end, at: now, into: &events)
      } else {
        watch(member, at: now)
      }
    }
    members.removeAll { $0.process.end != nil }
    return events
  }

  /// Asks all workers to stop after their running chunk; one that doesn't stop within `stopSeconds` is ended.
  package func stop(at now: Double) {
    isStopping = true
    for member in members {
      if member.job == nil { member.letGo(at: now) } else { member.stopAskedAt = member.stopAskedAt ?? now }
      member.process.terminate()
    }
  }

  /// Asks the worker of a job to stop after its running chunk; the worker takes no further job.
  ///
  /// A worker that doesn't stop within `stopSeconds`, for example because a policy never returns, is ended.
  package func stop(job: String, at now: Double) {
    guard let member = members.first(where: { $0.job == job }) else { return }
    member.isOutdated = true
    member.stopAskedAt = now
    member.process.terminate()
  }

  /// Asks the worker of a job to stop after its running chunk, without a time limit; the worker takes no further job.
  package func yield(job: String) {
    guard let member = members.first(where: { $0.job == job }) else { return }
    member.isOutdated = true
    member.process.terminate()
  }

  package func kill() {
    for member in members { member.process.kill() }
  }

  private func take(from member: WorkerMember, at now: Double, into events: inout [Event]) {
    // If a worker is ended because it takes too long, the events that it wrote before are still used.
    switch member.endCause {
    case .hung?, .notStopped?, nil: break
    default: return
    }
    do throws(WorkerLineFailure) {
      let before = member.process.heardBytes
      let said = try member.process.events()
      // A long line arrives in parts, and each part shows that the worker works.
      if member.process.heardBytes != before { member.heardAt = now }
      for event in said {
        if let hello = event.hello {
          guard hello.protocol == WorkerEvent.protocolNumber else {
            end(
              member,
              because: .misbehaviour("it uses protocol \(hello.protocol), not \(WorkerEvent.protocolNumber)"))
            return
          }
          if member.executable != nil, let obstacle = hello.obstacle {
            end(member, because: .misbehaviour(obstacle))
            return
          }
          member.greet(at: now)
          startFailures[member.executable] = nil
        } else if let job = event.job, job == member.job {
          if let progress = event.progress {
            member.noteSpoken()
            events.append(.progress(job: job, progress))
          } else if let report = event.report {
            member.finish(isLast: event.last ?? false, at: now)
            events.append(.report(job: job, report, peakMemory: event.peakMemory))
          } else if let failure = event.failure {
            member.finish(isLast: event.last ?? false, at: now)
            events.append(.failure(job: job, failure, peakMemory: event.peakMemory))
          }
        } else {
          end(member, because: .misbehaviour("it named a job that it doesn't have"))
          return
        }
      }
    } catch {
      end(member, because: .misbehaviour("it wrote a line that isn't an event: “\(error.start)”"))
    }
  }

  /// Ends a worker that takes too long, or whose output can't be trusted any more.
  private func end(_ member: WorkerMember, because cause: WorkerDeath.Cause) {
    member.endCause = cause
    member.process.kill()
  }

  private func conclude(
    _ member: WorkerMember, _ end: WorkerProcess.End, at now: Double, into events: inout [Event]
  ) {
    let death = WorkerDeath(
      worker: "The worker (process \(member.process.processID))", executable: member.executable,
      cause: member.endCause ?? .end(end), place: member.job == nil ? nil : member.process.place,
      lastWords: member.process.lastWords, family: member.job == nil ? nil : member.process.family)
    if let job = member.job {
      if end == .exit(0), member.endCause == nil, member.finishedJobs > 0, !member.hasSpokenOfJob {
        // The worker was exiting when it got the job, so it hasn't touched the store.
        events.append(
          .failure(
            job: job,
            MigrationFailure(.stopped, message: death.words),
            peakMemory: nil))
      } else {
        events.append(.died(job: job, death))
      }
    } else if member.isStarting, !isStopping {
      noteStartFailure(of: member.executable, at: now)
      events.append(.startFailed(executable: member.executable, death.words))
    }
  }

  private func watch(_ member: WorkerMember, at now: Double) {
    // The worker is ended already, and its first cause is the true one.
    guard member.endCause == nil else { return }
    if member.job != nil, let asked = member.stopAskedAt, now - asked > settings.stopSeconds {
      end(member, because: .notStopped(seconds: settings.stopSeconds))
    } else if member.job != nil, settings.hangSeconds > 0, now - member.heardAt > settings.hangSeconds {
      end(member, because: .hung(seconds: settings.hangSeconds))
    } else if member.isStarting, now - member.since > Self.graceSeconds {
      end(member, because: .misbehaviour("it sent no greeting within \(Int(Self.graceSeconds)) s"))
    } else if member.isLeaving, now - member.since > Self.graceSeconds {
      member.process.kill()
    } else if member.isWithoutJob, member.isOutdated || now - member.since > Self.idleSeconds {
      member.letGo(at: now)
    }
  }

  private func noteStartFailure(of executable: String?, at now: Double) {
    let failures = (startFailures[executable] ?? 0) + 1
    startFailures[executable] = failures
    startNotBefore[executable] = now + Backoff.seconds(retries: failures - 1, first: 1, maximum: 60)
  }
}
