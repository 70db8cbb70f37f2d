import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("The jobs in /status")
struct JobResultTests {
  private func keys(_ entry: some Encodable) throws -> Set<String> {
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(entry))
    return Set(try #require(json as? [String: Any]).keys)
  }

  @Test("a running job has its place in the migration, its speed and its memory")
  func running() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("hang", "Notas.sqlite")
    func first() -> ServiceStatus.Running? {
      daemon.publish(at: daemon.context.clock.steady())
      return daemon.health.status.running.first
    }
    #expect(fixture.turn { first()?.progress?.chunk == 1 })
    let job = try #require(first())
    #expect(job.drop == "Notas.sqlite" && job.attempt == 1 && job.bytes == 5)
    #expect((job.memoryBytes ?? 0) > 0 && (job.peakMemoryBytes ?? 0) >= (job.memoryBytes ?? 0))
    #expect(job.progress?.entityMapping == "Nota")
    #expect(try keys(job).isSuperset(of: ["job", "drop", "store", "attempt", "progress", "memoryBytes"]))
  }

  @Test("the last results say what became of each drop, the latest first")
  func results() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    let daemon = try fixture.start()
    try fixture.put("migrate", "a.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    try fixture.put("nonsense", "b.sqlite")
    #expect(try fixture.turn { try fixture.failed().count == 1 })
    daemon.publish(at: daemon.context.clock.steady())
    let results = daemon.health.status.results
    #expect(results.map(\.drop) == ["b.sqlite", "a.sqlite"])
    #expect(results.map(\.place) == [.failed, .done])
    #expect(results.first?.reason == "not-sqlite" && results.first?.message == "It is not-sqlite.")
    #expect(results.first?.advice == "Drop another." && results.first?.result == nil)
    #expect(results.last?.result == "migrated" && results.last?.seconds == 0.5 && results.last?.reason == nil)
    #expect(results.last?.folder == fixture.folder.path("spool/done/a.sqlite"))
    #expect(results.last?.ended.hasSuffix("Z") == true)
  }

  private func result(_ number: Int, bytes: Int64 = 1000, seconds: Double = 2) throws -> JobResult {
    var record = JobRecord(
      id: "j\(number)", arrival: number, state: .delivering, drop: "d", form: .loose, members: [], store: "s",
      claimedAt: 0)
    record.bytes = bytes
    let text = """
      {"result": "migrated", "store": "s", "storeType": "SQLite", "family": "F", "sourceVersion": "1",
       "targetVersion": "2", "steps": [], "losses": [], "warnings": [], "seconds": \(seconds), "decantVersion": "x"}
      """
    let report = try JSONDecoder().decode(MigrationReport.self, from: Data(text.utf8))
    var result = JobResult(record, folder: "/f", at: 0)
    result.take(report)
    return result
  }

  private func running(bytes: Int64, seconds: Double, eta: Double? = nil) -> ServiceStatus.Running {
    .init(
      job: "j", drop: "d", store: "s", bytes: bytes, worker: 1, attempt: 1, seconds: seconds, progress: nil,
      etaSeconds: eta)
  }

  @Test("only the last results are kept")
  func bounded() throws {
    var results = RecentResults()
    for number in 1...(RecentResults.most + 5) { results.add(try result(number), wholeSeconds: 2) }
    #expect(results.latest.count == RecentResults.most)
    #expect(results.latest.first?.job == "j\(RecentResults.most + 5)")
  }

  /// - Parameter queued: The bytes of the queued stores.
  private func left(
    _ results: RecentResults, _ running: [ServiceStatus.Running], queued: [Int64], workers: Int
  ) -> Double? {
    results.secondsLeft(
      of: running, queued: queued.map { (results.seconds(bytes: $0), false) }, workers: workers)
  }

  @Test("the queue's time follows from the running jobs and the speed of the last results")
  func estimate() throws {
    var results = RecentResults()
    #expect(left(results, [], queued: [10], workers: 1) == nil, "no speed is known")
    #expect(left(results, [running(bytes: 9, seconds: 0, eta: 7)], queued: [], workers: 2) == 7)
    results.add(try result(1), wholeSeconds: 2)
    #expect(left(results, [], queued: [], workers: 1) == nil, "there is nothing to do")
    #expect(left(results, [], queued: [2500, 2500], workers: 2) == 5)
    #expect(left(results, [], queued: [2500, 2500], workers: 1) == 10)
    let two = [running(bytes: 2000, seconds: 1), running(bytes: 1, seconds: 0, eta: 3)]
    #expect(left(results, two, queued: [1000, 1000], workers: 2) == 5)
    #expect(left(results, two, queued: [], workers: 2) == 3, "the longest job decides")
    #expect(
      left(results, [running(bytes: 1, seconds: 9)], queued: [2500], workers: 2) == nil,
      "a job takes longer than its size says")
  }

  @Test(
    "two workers don't share one large queued job, and a small job takes at least the shortest measured time"
  )
  func differentSizes() throws {
    var results = RecentResults()
    results.add(try result(1), wholeSeconds: 2)
    #expect(left(results, [], queued: [4000, 1], workers: 2) == 8)
    #expect(left(results, [], queued: [4000, 1], workers: 1) == 10)
    #expect(left(results, [], queued: [Int64](repeating: 1, count: 10), workers: 1) == 20)
    #expect(left(results, [], queued: [8000], workers: 1) == nil, "no store of such a size was measured")
    // Long jobs leave one of the workers to short jobs.
    #expect(results.secondsLeft(of: [], queued: [(70, true), (70, true), (5, false)], workers: 2) == 140)
  }

  @Test("the time that a job has run already is subtracted from the remaining time")
  func spent() throws {
    var results = RecentResults()
    results.add(try result(1), wholeSeconds: 2)
    let running = [running(bytes: 4000, seconds: 1)]
    #expect(left(results, running, queued: [], workers: 1) == 7)
    #expect(results.secondsLeft(of: running, spent: { $0 == "j" ? 4 : 0 }, queued: [], workers: 1) == 3)
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    var record = JobRecord(
      id: "20261126T040308-000007", arrival: 7, state: .queued, drop: "d", form: .loose, members: [],
      store: "s", claimedAt: 0)
    record.bytes = 2000
    daemon.context.events.results.add(try result(1, bytes: 1000, seconds: 50), wholeSeconds: 50)
    daemon.dispatcher.queue.put(record)
    for (spent, left) in [(0.0, 100.0), (30, 70)] {
      daemon.dispatcher.notes[record.id, default: JobNotes()].spentSeconds = spent
      daemon.publish(at: fixture.now)
      #expect(daemon.health.status.queue.etaSeconds == left)
    }
  }

  @Test("the time of all runs counts for the speed; a job with unknown time doesn't count")
  func resumed() throws {
    var results = RecentResults()
    // The job's last run took 2 s, but the time of all its runs isn't known.
    results.add(try result(1), wholeSeconds: nil)
    #expect(left(results, [], queued: [2500], workers: 1) == nil)
    results.add(try result(2), wholeSeconds: 20)
    #expect(left(results, [], queued: [2500], workers: 1) == 50)
  }

  @Test(
    "a job that was stopped counts with the time of all its runs, unless an earlier daemon began its work")
  func stoppedJobs() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    let daemon = try fixture.start()
    let report = MigrationReport(
      result: .migrated, store: "s", family: "F", sourceVersion: "1", targetVersion: "2",
      steps: [.init(sourceVersion: "1", destinationVersion: "2", passes: ["p"], resumedChunks: 3)], seconds: 2,
      decantVersion: "0")
    let record = JobRecord(
      id: "j", arrival: 1, state: .queued, drop: "d", form: .loose, members: [], store: "s", claimedAt: 0)
    let dispatcher = daemon.dispatcher
    dispatcher.notes["j"] = JobNotes()
    dispatcher.notes["j"]?.spentSeconds = 12
    #expect(dispatcher.wholeSeconds(of: record, report) == 12)
    dispatcher.notes["j"]?.isOfEarlierDaemon = true
    #expect(dispatcher.wholeSeconds(of: record, report) == nil)
    var fresh = report
    fresh.steps[0].resumedChunks = 0
    #expect(dispatcher.wholeSeconds(of: record, fresh) == 12)
  }

  @Test("the numbers of folders change at once when people or “decant retry” change failed/")
  func folders() throws {
    let fixture = try DaemonFixture { $0.scanSeconds = 3600 }
    let daemon = try fixture.start()
    for name in ["a", "b", "c"] { try fixture.put("nonsense", "\(name).sqlite") }
    #expect(try fixture.turn { try fixture.failed().count == 3 })
    func failed() -> Int {
      daemon.publish(at: fixture.now)
      return daemon.health.status.jobs.failed
    }
    #expect(failed() == 3)
    let first = try #require(try fixture.failed().first)
    try FileManager.default.removeItem(atPath: fixture.folder.path("spool/failed/\(first)"))
    // A count takes some time, and the next count waits for fifty times as long.
    #expect(fixture.turn { failed() == 2 })
    #expect(fixture.now < daemon.intake.schedule.deadline)
  }
}
