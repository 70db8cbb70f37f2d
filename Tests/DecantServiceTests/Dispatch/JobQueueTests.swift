import DecantMigration
import DecantReport
import DecantTestSupport
import DecantWorker
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("The order of jobs")
struct JobQueueTests {
  private func record(_ arrival: Int, priority: Int = 0, bytes: Int64 = 1) -> JobRecord {
    var record = JobRecord(
      id: "j\(arrival)", arrival: arrival, state: .queued, drop: "d", form: .loose, members: [], store: "d",
      claimedAt: 0)
    record.priority = priority
    record.bytes = bytes
    return record
  }

  private func started(_ queue: inout JobQueue, workers: Int, shortage: (JobRecord) -> String? = { _ in nil })
    -> [String]
  {
    var started: [String] = []
    let share = FairShare(workers: workers, longSeconds: 60, bigStoreBytes: 100)
    func candidate(_ record: JobRecord) -> FairShare.Candidate {
      .init(bytes: record.bytes, expected: nil, waited: 0)
    }
    func choice() -> JobQueue.Choice {
      let running = queue.running.compactMap { queue[$0] }.map {
        FairShare.Running(job: $0.id, bytes: $0.bytes, elapsed: 0, left: nil)
      }
      return queue.next(
        at: 0, mayStart: { share.mayStart(candidate($0), beside: running) },
        urgency: workers == 1 ? { share.urgency(of: candidate($0)) } : nil, shortage: shortage)
    }
    while case .start(let record) = choice() {
      queue.noteStarted(record.id)
      started.append(record.id)
    }
    return started
  }

  @Test("jobs that wait for the catalogue are counted, whatever happens to them")
  func heldCount() {
    var queue = JobQueue()
    func waiting(_ arrival: Int, _ cause: JobRecord.Hold.Cause = .catalogue) -> JobRecord {
      var record = record(arrival)
      record.state = .waiting
      record.hold = .init(
        cause: cause, until: nil,
        failure: MigrationFailure(FailureReason(word: "r"), .retry, message: "m", advice: "a"))
      return record
    }
    for arrival in 1...3 { queue.put(waiting(arrival)) }
    queue.put(waiting(2))
    queue.put(waiting(4, .retry))
    queue.put(record(5))
    #expect(queue.held == 3)
    queue.put(record(1))
    queue.remove("j2")
    queue.remove("j9")
    #expect(queue.held == 1)
  }

  @Test("a job is chosen without a look at later jobs that can't be more urgent")
  func mostUrgent() {
    var queue = JobQueue()
    for arrival in 1...5 { queue.put(record(arrival)) }
    var asked: [String] = []
    let choice = queue.next(
      at: 0, mayStart: { _ in true }, urgency: { $0.arrival == 2 ? 8 : 1 }, bound: { 11 - Double($0.arrival) },
      shortage: {
        asked.append($0.id)
        return nil
      })
    #expect(choice == .start(record(2)) && asked == ["j1", "j2"])
  }

  @Test("the bound of a later job with a lower priority changes nothing")
  func boundOfLowerPriority() {
    var queue = JobQueue()
    queue.put(record(1))
    queue.put(record(2, priority: 1))
    let choice = queue.next(
      at: 0, mayStart: { _ in true }, urgency: { Double($0.arrival) }, bound: { _ in 100 },
      shortage: { _ in nil })
    #expect(choice == .start(record(2, priority: 1)))
  }

  @Test("after any changes, the line is in order and has each job once")
  func line() {
    var queue = JobQueue()
    var dice = Dice(11)
    for _ in 0..<2000 {
      let arrival = 1 + dice.below(40)
      switch dice.below(6) {
      case 0: queue.remove("j\(arrival)")
      case 1: queue.noteStarted("j\(arrival)")
      case 2: queue.noteEnded("j\(arrival)")
      default:
        var record = record(arrival, priority: dice.below(5) - 2)
        record.state = dice.pick([.queued, .waiting, .delivering])
        if record.state == .waiting {
          let failure = MigrationFailure(FailureReason(word: "r"), .retry, message: "m", advice: "a")
          record.hold = .init(
            cause: .retry, until: Double(dice.below(2)), failure: failure)
        }
        queue.put(record)
      }
      let expected = queue.records.values.filter { record in
        !queue.running.contains(record.id)
          && (record.state == .queued || record.state == .waiting && record.hold?.until == 0)
      }.sorted { ($1.priority, $0.arrival) < ($0.priority, $1.arrival) }
      #expect(queue.ready(at: 0).map(\.id) == expected.map(\.id))
      #expect(
        queue.ready(at: 0, most: 2) { $0.priority != 1 }
          == Array(expected.filter { $0.priority != 1 }.prefix(2)))
    }
  }

  @Test("priority comes first, then arrival")
  func order() {
    var queue = JobQueue()
    for record in [record(3), record(1), record(2, priority: 5), record(4, priority: -1)] { queue.put(record) }
    let names1 = started(&queue, workers: 9)
    #expect(names1 == ["j2", "j1", "j3", "j4"])
  }

  @Test("big stores leave one of several workers to small ones, and a single worker takes all in order")
  func bigStores() {
    var queue = JobQueue()
    for record in [record(1, bytes: 500), record(2, bytes: 500), record(3, bytes: 500), record(4)] {
      queue.put(record)
    }
    var single = queue
    let names2 = started(&queue, workers: 3)
    #expect(names2 == ["j1", "j2", "j4"])
    queue.remove("j4")
    let names3 = started(&queue, workers: 3)
    #expect(names3.isEmpty)
    queue.remove("j1")
    let names4 = started(&queue, workers: 3)
    #expect(names4 == ["j3"])
    let names5 = started(&single, workers: 1)
    #expect(names5 == ["j1"])
  }

  @Test("of jobs with one priority, the most urgent is started, and of equally urgent jobs the first")
  func urgency() {
    var queue = JobQueue()
    for record in [record(1), record(2), record(3), record(4, priority: -1)] { queue.put(record) }
    func first(_ urgencies: [String: Double], served: Set<String> = ["j1", "j2", "j3", "j4"]) -> String? {
      let choice = queue.next(
        at: 0, mayStart: { _ in true }, urgency: { urgencies[$0.id] ?? 1 },
        isServed: { served.contains($0.id) }, shortage: { _ in nil })
      if case .start(let record) = choice { return record.id }
      return nil
    }
    #expect(first([:]) == "j1")
    #expect(first(["j3": 1.5, "j4": 9]) == "j3")
    #expect(first(["j3": 1.5, "j4": 9], served: ["j4"]) == "j4")
    #expect(first([:], served: []) == nil)
  }

  @Test("a job without space waits, and smaller ones run")
  func shortage() {
    var queue = JobQueue()
    for record in [record(1, bytes: 90), record(2)] { queue.put(record) }
    let names6 = started(&queue, workers: 2) { $0.bytes > 50 ? "no room" : nil }
    #expect(names6 == ["j2"])
    #expect(queue.shortages == ["j1": "no room"])
    #expect(queue.waiting.map(\.id) == ["j1"])
    let names7 = started(&queue, workers: 2)
    #expect(names7 == ["j1"])
  }

  @Test("the space that working files have taken already isn't needed again")
  func resumedRoom() throws {
    #expect(DiskSpace.need(of: 100, factor: 2.5) == 250)
    #expect(DiskSpace.need(of: 100, factor: 2.5, heldBytes: 120) == 130)
    #expect(DiskSpace.need(of: 100, factor: 2.5, heldBytes: 400) == 0)
    #expect(DiskSpace.need(of: .max, factor: 100, heldBytes: -1) == .max)
    let folder = try TemporaryFolder.short()
    for name in ["incoming", "work", "done", "failed"] { try folder.makeFolder("spool/\(name)") }
    try folder.write(String(repeating: "x", count: 50_000), to: "spool/work/J/engine/step-1.sqlite.partial")
    try folder.write(String(repeating: "x", count: 50_000), to: "spool/work/J/engine/copy/source.sqlite")
    try folder.write("x", to: "spool/work/K/job.json")
    let spool = try Spool(path: folder.path("spool"))
    let held = try JobFolder("J", in: spool).heldBytes()
    #expect((100_000..<200_000).contains(held))
    #expect(try JobFolder("K", in: spool).heldBytes() == 0)
  }

  @Test("a held job starts when its time has come, but not if it waits for the catalogue")
  func held() {
    let failure = MigrationFailure(FailureReason(word: "r"), .retry, message: "m")
    var queue = JobQueue()
    var later = record(1)
    later.state = .waiting
    later.hold = JobRecord.Hold(cause: .retry, until: 50, failure: failure)
    var catalogue = record(2)
    catalogue.state = .waiting
    catalogue.hold = JobRecord.Hold(cause: .catalogue, until: nil, failure: failure)
    queue.put(later)
    queue.put(catalogue)
    #expect(queue.ready(at: 49).isEmpty)
    #expect(queue.nextRetry(after: 0) == 50)
    #expect(queue.ready(at: 50).map(\.id) == ["j1"])
  }

  @Test("a retry doesn't wait for years after the clock was set back")
  func clockSetBack() {
    let failure = MigrationFailure(FailureReason(word: "r"), .retry, message: "m")
    var queue = JobQueue()
    var later = record(1)
    later.state = .waiting
    later.hold = JobRecord.Hold(cause: .retry, until: 50_010, failure: failure, since: 50_000)
    queue.put(later)
    #expect(queue.ready(at: 50_005).isEmpty && queue.nextRetry(after: 50_005) == 50_010)
    // The turn of the loop may have begun a little before the wait.
    #expect(queue.ready(at: 49_999).isEmpty && queue.nextRetry(after: 49_999) == 50_010)
    #expect(queue.ready(at: 49_939).map(\.id) == ["j1"])
    #expect(queue.nextRetry(after: 49_939) == nil)
  }

  @Test("a job that is leaving gets no worker")
  func leaving() {
    var queue = JobQueue()
    queue.put(record(1))
    queue.noteLeaving("j1")
    let names8 = started(&queue, workers: 1)
    #expect(names8.isEmpty)
    #expect(queue.queued.isEmpty)
  }

  @Test("waits double up to the cap")
  func backoff() {
    #expect((0..<5).map { Backoff.seconds(retries: $0, first: 10, maximum: 60) } == [10, 20, 40, 60, 60])
    #expect(Backoff.seconds(retries: Int.max, first: 10, maximum: 600) == 600)
    #expect(Backoff.seconds(retries: -1, first: 10, maximum: 5) == 5)
  }

  @Test("room is judged without overflow, inodes included")
  func space() {
    let space = DiskSpace(freeBytes: 1000, freeFiles: 1000)
    #expect(space.shortage(need: 500, reserved: 300, minimumFree: 200) == nil)
    #expect(space.shortage(need: 500, reserved: 300, minimumFree: 201) == "1000 bytes free, 1001 bytes needed")
    let kilobytes = DiskSpace(freeBytes: 2048, freeFiles: nil)
    #expect(kilobytes.shortage(need: 3 << 20, reserved: 0, minimumFree: 0) == "2.0 KiB free, 3.0 MiB needed")
    #expect(
      DiskSpace(freeBytes: 3 << 30, freeFiles: nil).shortage(need: 3 << 30, reserved: 0, minimumFree: 5 << 20)
        == "3.0 GiB free, 5.0 MiB more needed")
    #expect(space.shortage(need: Int64.max, reserved: Int64.max, minimumFree: 1) != nil)
    #expect(DiskSpace(freeBytes: 1000, freeFiles: 3).shortage(need: 0, reserved: 0, minimumFree: 0) != nil)
    #expect(DiskSpace.need(of: Int64.max, factor: 100) == Int64.max)
    #expect(DiskSpace.need(of: 100, factor: 2.5) == 250)
  }
}
