import DecantReport
import DecantTestSupport
import FileNames
import Testing

@testable import DecantService

/// A case: workers, running jobs, the candidate's size and expected time, whether it may start.
private typealias Start = (
  workers: Int, running: [(elapsed: Double, left: Double?)], bytes: Int64, expected: Double?, may: Bool
)

private let starts: [Start] = [
  // A small store of an unknown kind counts as short.
  (2, [], 1, nil, true),
  // Long jobs leave one worker free.
  (2, [], 1, 60, true), (2, [(61, nil)], 1, 60, false), (2, [(61, nil)], 1, 59, true),
  (2, [(61, nil)], 1000, nil, false), (2, [(61, nil)], 999, nil, true),
  // A running job is long if its elapsed time and its remaining time are together at least 60 s.
  (2, [(5, 50)], 1, 60, true), (2, [(5, 55)], 1, 60, false),
  (3, [(61, nil)], 1, 60, true), (3, [(61, nil), (3, 100)], 1, 60, false),
  (3, [(61, nil), (3, 100)], 1, 1, true),
  // No worker is free.
  (2, [(1, nil), (1, nil)], 1, 1, false),
  // A single worker takes all jobs.
  (1, [], 1000, 1e9, true), (1, [(1, nil)], 1, 1, false),
]

/// A case: workers, running jobs, the job that has to stop.
private typealias Yield = (workers: Int, running: [(elapsed: Double, left: Double?)], job: String?)

private let yields: [Yield] = [
  (2, [(61, nil), (70, nil)], "j0"), (2, [(70, nil), (20, 90)], "j1"),
  (2, [(61, nil), (5, nil)], nil), (2, [(61, nil)], nil), (1, [(61, nil)], nil),
  (3, [(61, nil), (70, nil)], nil),
]

@Suite("Fairness by time")
struct FairShareTests {
  private let big: Int64 = 1000

  private func share(_ workers: Int) -> FairShare {
    FairShare(workers: workers, longSeconds: 60, bigStoreBytes: big)
  }

  private func running(_ jobs: [(elapsed: Double, left: Double?)]) -> [FairShare.Running] {
    jobs.enumerated().map {
      .init(job: "j\($0.offset)", bytes: 1, elapsed: $0.element.elapsed, left: $0.element.left)
    }
  }

  @Test("several workers never have long jobs only", arguments: starts.indices)
  func mayStart(index: Int) {
    let start = starts[index]
    let candidate = FairShare.Candidate(bytes: start.bytes, expected: start.expected, waited: 0)
    #expect(share(start.workers).mayStart(candidate, beside: running(start.running)) == start.may)
  }

  @Test(
    "the long job that has run for the shortest time makes room, if long jobs have all workers",
    arguments: yields.indices)
  func makesRoom(index: Int) {
    let (workers, jobs, job) = yields[index]
    #expect(share(workers).yielding(running(jobs)) == job)
  }

  @Test("only one job at a time is asked to make room")
  func oneYield() {
    var jobs = running([(61, nil), (70, nil)])
    jobs[1].isStopping = true
    #expect(share(2).yielding(jobs) == nil)
  }

  @Test("for one worker, a short job comes before a long one, and a long wait counts more")
  func urgency() {
    func urgency(_ expected: Double?, _ waited: Double, bytes: Int64 = 1) -> Double {
      share(1).urgency(of: .init(bytes: bytes, expected: expected, waited: waited))
    }
    #expect(urgency(5, 10) > urgency(3600, 10))
    #expect(urgency(3600, 7200) > urgency(5, 5))
    #expect(urgency(3600, 36_000) == urgency(5, 5000))
    // Very short jobs have the order of their arrival.
    #expect(urgency(0, 3) > urgency(0.5, 2))
    #expect(urgency(nil, 5, bytes: 1) > urgency(nil, 5, bytes: 1 << 40))
    #expect(urgency(5, -1) == 1)
  }

  /// Simulates the jobs of one worker, second by second.
  ///
  /// The first job takes 100 s, and jobs of 2 s come later.
  ///
  /// - Returns: The second in which the job of 100 s began.
  private func start(shortEvery pause: Double) -> Double? {
    let share = share(1)
    var waiting: [(since: Double, expected: Double)] = [(0, 100)]
    var free = 0.0
    for second in stride(from: 0.0, to: 4000, by: 1) {
      if second.truncatingRemainder(dividingBy: pause) == 0 { waiting.append((second - 1, 2)) }
      guard second >= free else { continue }
      var best: (index: Int, urgency: Double)?
      for (index, job) in waiting.enumerated() {
        let urgency = share.urgency(
          of: .init(bytes: 1, expected: job.expected, waited: second - job.since))
        if urgency > best?.urgency ?? 0 { best = (index, urgency) }
      }
      guard let best else { continue }
      let job = waiting.remove(at: best.index)
      free = second + job.expected
      if job.expected == 100 { return second }
    }
    return nil
  }

  @Test("with one worker, a stream of short jobs doesn't starve a long job, even if the worker is overloaded")
  func starvation() throws {
    // At first the short jobs are started first.
    let calm = try #require(start(shortEvery: 2))
    #expect((2...100).contains(calm), "\(calm)")
    let overload = try #require(start(shortEvery: 1))
    #expect((100...1000).contains(overload), "\(overload)")
  }

  @Test("a store's expected time is from the speed of earlier jobs of its kind, which its file name tells")
  func speeds() {
    var speeds = MeasuredSpeeds()
    let (first, second) = (
      MeasuredSpeeds.Kind(family: "Notas", version: "1"), MeasuredSpeeds.Kind(family: "Notas", version: "2")
    )
    #expect(speeds.expectedSeconds(bytes: 10, store: "N") == nil)
    speeds.note(first, of: "N")
    #expect(speeds.expectedSeconds(bytes: 10, store: "N") == nil)
    // The time of a short job is mostly the time of its start.
    speeds.add(bytes: 100, seconds: 0.9, of: first)
    #expect(speeds.expectedSeconds(bytes: 10, store: "N") == nil)
    speeds.add(bytes: 100, seconds: 10, of: first)
    #expect(speeds.expectedSeconds(bytes: 1000, store: "N") == 100)
    speeds.add(bytes: 200, seconds: 10, of: first)
    #expect(speeds.expectedSeconds(bytes: 1300, store: "N") == 100)
    speeds.note(second, of: "N")
    #expect(speeds.expectedSeconds(bytes: 1000, store: "N") == nil)
    // A running job gives a speed only for a kind whose speed isn't known yet.
    speeds.add(bytes: 10, secondsSoFar: 20, store: "N")
    speeds.add(bytes: 10, secondsSoFar: 40, store: "N")
    speeds.add(bytes: 10, secondsSoFar: 40, store: "unknown")
    #expect(speeds.expectedSeconds(bytes: 10, store: "N") == 20)
    #expect(speeds.expectedSeconds(bytes: 10, store: "unknown") == nil)
    for number in 0..<MeasuredSpeeds.most { speeds.note(first, of: "\(number)") }
    #expect(speeds.expectedSeconds(bytes: 1300, store: "\(MeasuredSpeeds.most - 1)") == 100)
  }

  @Test("if two long jobs run, one of them makes room for a small store, and continues later")
  func endToEnd() throws {
    let fixture = try DaemonFixture { $0.longSeconds = 0.3 }
    let daemon = try fixture.start()
    for name in ["a", "b"] { try fixture.put("hang", "\(name).sqlite") }
    #expect(fixture.turn { daemon.dispatcher.running.count == 2 })
    try fixture.put("migrate", "c.sqlite")
    #expect(try fixture.turn { try fixture.done() == ["c.sqlite"] })
    #expect(try fixture.log().contains { $0.contains("event=yields") })
    // One of the long jobs still runs, the other waits, and no worker has died.
    #expect(fixture.turn { daemon.dispatcher.running.count == 1 && daemon.dispatcher.queue.queued.count == 1 })
    #expect(daemon.context.events.totals.workerDeaths == 0)
    try fixture.put("migrate", "d.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 2 })
    let running = try #require(daemon.dispatcher.running.keys.first)
    let waiting = try #require(daemon.dispatcher.queue.queued.first?.id)
    daemon.dispatcher.cancel(running, at: fixture.now)
    #expect(fixture.turn { daemon.dispatcher.running[waiting] != nil })
  }
}
