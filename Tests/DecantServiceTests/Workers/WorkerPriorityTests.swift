import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantWorker

/// The workers' priorities for processor and disk, with the fake worker.
@Suite("The workers' priority")
struct WorkerPriorityTests {
  /// The nice value of a process, as the kernel says it.
  private func nice(_ process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name of the program, in parentheses, may have spaces.
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    return Int(fields[17]) ?? 99
  }

  @Test("a reload gives a lower priority to running workers, and a higher priority only to the next worker")
  func reload() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("hang", "a.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    let job = try #require(daemon.dispatcher.running.keys.first)
    let worker = try #require(daemon.dispatcher.pool.process(of: job))
    let usual = try nice(worker)
    var settings = daemon.dispatcher.pool.settings
    settings.priority = WorkerPriority(nice: 7, io: .idle)
    daemon.dispatcher.pool.change(to: settings)
    #expect(try nice(worker) == 7)
    #expect(daemon.dispatcher.pool.priorityTrouble == nil)
    #expect(daemon.dispatcher.pool.members.allSatisfy { !$0.isOutdated })
    settings.priority = WorkerPriority()
    daemon.dispatcher.pool.change(to: settings)
    #expect(daemon.dispatcher.pool.members.allSatisfy { $0.isOutdated })
    daemon.carryOut(.restart(job: job), at: fixture.now)
    #expect(
      try fixture.turn {
        guard let other = daemon.dispatcher.pool.process(of: job), other != worker else { return false }
        return try nice(other) == usual
      })
  }

  @Test("a priority is at most another if this is true for processor and for disk")
  func order() {
    let usual = WorkerPriority()
    #expect(WorkerPriority(nice: 1).isAtMost(usual) && !usual.isAtMost(WorkerPriority(nice: 1)))
    #expect(WorkerPriority(io: .idle).isAtMost(WorkerPriority(io: .low)))
    #expect(!WorkerPriority(nice: 5, io: .normal).isAtMost(WorkerPriority(nice: 1, io: .low)))
    #expect(usual.isAtMost(usual))
  }

  @Test("if a process can't get the priority, the message has the command for systemd")
  func denied() {
    // Only root may change the priority of process 1. For a process that has ended, there is no message.
    #expect(WorkerPriority(nice: 3).apply(to: Int32.max) == nil)
    if geteuid() != 0 {
      #expect(WorkerPriority(nice: 3).apply(to: 1)?.contains("systemctl set-property") == true)
    }
  }
}
