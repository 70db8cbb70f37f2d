import FileNames
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Backlog and times of scans")
struct BacklogTests {
  private func drop(_ place: Int) -> Drop { Drop(name: FileName("\(place)"), form: .loose, members: []) }

  @Test("drops leave the backlog in their order, except those that have changed since the scan")
  func order() {
    var backlog = Backlog()
    backlog.fill([7, 3, 5, 4])
    var taken = backlog.next(2, jobs: 0) { $0 == 3 ? nil : drop($0) }
    #expect(taken.map(\.name) == ["7", "5"])
    taken = backlog.next(2, jobs: 0, look: drop)
    #expect(taken.map(\.name) == ["4"] && backlog.isEmpty)
  }

  @Test("a full work/ takes drops again when it is half empty")
  func full() {
    var backlog = Backlog()
    backlog.fill([0, 1])
    let taken = backlog.next(2, jobs: Backlog.mostJobs - 1, look: drop)
    #expect(taken.count == 1 && backlog.isFull)
    let opensFull = backlog.opens(forJobs: Backlog.mostJobs / 2 + 1)
    let opensHalfEmpty = backlog.opens(forJobs: Backlog.mostJobs / 2)
    #expect(!opensFull && opensHalfEmpty && !backlog.isFull)
  }

  @Test("jobs that wait for the catalogue leave room for others, up to a bound")
  func held() {
    #expect(Backlog.load(jobs: 1000, held: 990) == 10)
    #expect(Backlog.load(jobs: Backlog.mostHeld + 3, held: Backlog.mostHeld) == Backlog.mostJobs)
    var backlog = Backlog()
    backlog.fill([0, 1])
    _ = backlog.next(1, jobs: Backlog.mostJobs, look: drop)
    #expect(backlog.isFull && backlog.count == 2)
    backlog.fill([0, 1])
    #expect(!backlog.isFull && !backlog.wasCleared)
    backlog.clear()
    #expect(backlog.isEmpty && backlog.wasCleared)
  }

  @Test("of very many blocked drops, the first are reported once each, and the others are counted")
  func blocked() {
    var blocked = BlockedDrops()
    func note(_ numbers: some Sequence<Int>) {
      blocked.begin()
      for number in numbers {
        let name = FileName("\(number)")
        // Drops are counted, not obstacles.
        blocked.note(name, Array(repeating: Obstacle(drop: name, message: "m", command: ""), count: 2))
      }
    }
    note(1...BlockedDrops.most + 2)
    var change = blocked.report(isWhole: true)
    #expect(change.new.count == BlockedDrops.most && change.gone.isEmpty)
    #expect(blocked.further == 2 && blocked.count == BlockedDrops.most + 2)
    blocked.begin()
    #expect(blocked.count == BlockedDrops.most + 2)
    // A new name that sorts before the others doesn't replace a reported name.
    note(0...BlockedDrops.most)
    change = blocked.report(isWhole: true)
    #expect(change.new.isEmpty && change.gone.isEmpty && blocked.further == 1)
    note([1, 0])
    change = blocked.report(isWhole: true)
    #expect(change.new.isEmpty && change.gone.count == BlockedDrops.most - 1 && blocked.further == 1)
    note([1, 0])
    change = blocked.report(isWhole: true)
    #expect(change.new.map(\.name) == ["0"] && change.gone.isEmpty && blocked.further == 0)
  }

  @Test("during claims, a new obstacle is reported, and no obstacle counts as removed")
  func underWay() {
    var blocked = BlockedDrops()
    func obstacle(_ name: FileName) -> [Obstacle] { [Obstacle(drop: name, message: "m", command: "")] }
    blocked.note("a", obstacle("a"))
    _ = blocked.report(isWhole: true)
    blocked.begin()
    blocked.note("b", obstacle("b"))
    var change = blocked.report(isWhole: false)
    #expect(change.new.map(\.name) == ["b"] && change.gone.isEmpty && blocked.count == 2)
    blocked.note("a", obstacle("a"))
    change = blocked.report(isWhole: true)
    #expect(change.new.isEmpty && change.gone.isEmpty && blocked.count == 2)
  }

  @Test("a long scan is followed by a pause, also after hints")
  func pause() {
    var schedule = ScanSchedule()
    #expect(schedule.isPeriodicDue(at: 0))
    schedule.beginPeriodic(at: 0, pace: 3)
    schedule.noteScan(from: 0, to: 2, wanted: nil, isIdle: false)
    schedule.hint(at: 2.5)
    #expect(schedule.deadline == 10)
    schedule.noteScan(from: 10, to: 12, wanted: 11, isIdle: true)
    #expect(schedule.deadline == 14)
  }

  @Test("after a failed claim, the periodic scan is due when the spool has rested")
  func rest() {
    var schedule = ScanSchedule()
    schedule.beginPeriodic(at: 0, pace: 60)
    schedule.noteScan(from: 0, to: 0, wanted: nil, isIdle: false)
    schedule.postpone(to: 5)
    schedule.hint(at: 1)
    #expect(schedule.deadline == 5 && schedule.isPeriodicDue(at: 5))
  }

  @Test("the first names that were taken are forgotten first")
  func names() {
    let taken = TakenNames()
    for number in 0...TakenNames.most { taken.note(FileName("\(number)"), job: "j\(number)") }
    #expect(taken["0"] == nil && taken["1"] == "j1")
  }
}
