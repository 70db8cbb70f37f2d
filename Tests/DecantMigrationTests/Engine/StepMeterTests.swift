import Dispatch
import Synchronization
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport

@Suite("The progress numbers of a step") struct StepMeterTests {
  private static let start = MigrationProgress(
    step: 1, steps: 1, sourceVersion: "A", destinationVersion: "B", pass: 1, passes: 2, passName: "one",
    stage: .open)

  @Test func reportsComeInOrderFromSeveralThreads() {
    let heard = Mutex<[Int]>([])
    let meter = StepMeter(Self.start, passNames: ["one", "two"]) { progress in
      heard.withLock { $0.append(progress.rowsDone) }
    }
    meter.begin(totals: [500, 500], taken: [0, 0], passes: [0, 1], first: 0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for rows in 1...500 {
        if thread == 0 {
          meter.advance(index: rows % 2, rowsDone: rows, chunkSize: 1, isLast: false)
        } else {
          meter.beat()
          _ = (meter.part, meter.isInterruptible)
        }
      }
    }
    let numbers = heard.withLock { $0 }
    #expect(numbers.count == 1 + 4 * 500)
    #expect(numbers == numbers.sorted() && numbers.last == 999)
    #expect(meter.part == 0.999)
  }

  @Test func aPassCountsItsOwnPieces() {
    var rows = StepRows(progress: Self.start, passNames: ["one", "two"])
    // The last piece of the first pass is done after the second pass has begun.
    rows.begin(totals: [10, 20, 30], taken: [.max, 5, 0], passes: [0, 1, 0], first: 1)
    #expect(rows.progress.passName == "two")
    #expect((rows.progress.passRowsDone, rows.progress.passRowsTotal) == (5, 50))
    rows.take(total: 25, index: 1)
    rows.leave(index: 1)
    #expect((rows.progress.rowsDone, rows.progress.rowsTotal) == (35, 65))
    let isCounted = rows.advance(index: 3, rowsDone: 1, chunkSize: 1, isLast: true)
    #expect(!isCounted && rows.progress.rowsDone == 35)
    #expect(rows.progress.objectsTotal == nil)
  }

  @Test("the work of each pass is a kind of its own, because a pass's speed says nothing about later passes")
  func kinds() {
    var rows = StepRows(progress: Self.start, passNames: ["one", "two"])
    rows.begin(
      totals: [12, 5, 30], taken: [2, 0, 0], passes: [0, 0, 1], kinds: ["create", "relate", "create"], first: 0)
    #expect(
      rows.progress.rowsLeftByKind == ["create, pass 1": 10, "relate, pass 1": 5, "create, pass 2": 30])
    #expect(rows.progress.passRowsLeftByKind == ["create, pass 1": 10, "relate, pass 1": 5])
    var single = StepRows(progress: Self.start, passNames: ["one"])
    single.begin(totals: [12], taken: [0], passes: [0], kinds: ["create"], first: 0)
    #expect(single.progress.rowsLeftByKind == ["create": 12])
  }

  @Test("an object counts once, however many stages, entity mappings and passes read its table")
  func objects() {
    var rows = StepRows(progress: Self.start, passNames: ["one", "two"])
    // Two entity mappings and a second pass read ZNOTE. The last piece sets relationships.
    rows.begin(
      totals: [12, 12, 5, 12, 12], taken: [0, 0, 0, 0, 0], passes: [0, 0, 0, 1, 0],
      tables: ["ZNOTE", "ZNOTE", "ZTAG", "ZNOTE", nil], first: 0)
    #expect((rows.progress.objectsDone, rows.progress.objectsTotal) == (0, 17))
    #expect(rows.progress.rowsTotal == 53)
    for index in 0..<2 { rows.leave(index: index) }
    #expect(rows.progress.objectsDone == 8)
    rows.leave(index: 2)
    rows.take(total: 4, index: 2)
    #expect((rows.progress.objectsDone, rows.progress.objectsTotal) == (12, 16))
    rows.leave(index: 3)
    #expect((rows.progress.objectsDone, rows.progress.objectsTotal) == (16, 16))
    rows.leave(index: 4)
    #expect(rows.progress.objectsDone == 16 && rows.progress.rowsDone == 52)
  }

  @Test func rowsOfAnEarlierRunCountAtOnceWhenTheirNumberReplacesAnEstimate() {
    var rows = StepRows(progress: Self.start, passNames: ["one", "two"])
    rows.begin(totals: [10, 20], taken: [.max, 900], passes: [0, 0], first: 1)
    #expect(rows.progress.rowsDone == 30)
    rows.take(total: 1000, index: 1)
    rows.take(total: 700, index: 0)
    #expect((rows.progress.rowsDone, rows.progress.rowsTotal) == (1600, 1700))
    _ = rows.advance(index: 1, rowsDone: 950, chunkSize: 50, isLast: false)
    #expect(rows.progress.rowsDone == 1650)
  }
}
