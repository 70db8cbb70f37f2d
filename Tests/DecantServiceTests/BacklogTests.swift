import FileNames
import Testing

@testable import DecantService

@Suite("Backlog and times of scans")
struct BacklogTests {
  private func backlog(_ names: [String]) -> Backlog {
    var backlog = Backlog()
    backlog.fill(names.map { Drop(name: FileName($0), form: .loose, members: []) })
    return backlog
  }

  @Test("drops leave in their order, and those that changed since the scan stay behind")
  func order() {
    var backlog = backlog(["a", "b", "c", "d"])
    backlog.touch("b")
    var taken = backlog.next(2, jobs: 0)
    #expect(taken.map(\.name) == ["a", "c"])
    taken = backlog.next(2, jobs: 0)
    #expect(taken.map(\.name) == ["d"] && backlog.isEmpty)
    backlog.fill([Drop(name: "b", form: .loose, members: [])])
    taken = backlog.next(2, jobs: 0)
    #expect(taken.map(\.name) == ["b"])
  }

  @Test("a full work/ takes drops again once it is half empty")
  func full() {
    var backlog = backlog(["a", "b"])
    let taken = backlog.next(2, jobs: Backlog.mostJobs - 1)
    #expect(taken.count == 1 && backlog.isFull)
    let opensFull = backlog.opens(forJobs: Backlog.mostJobs / 2 + 1)
    let opensHalfEmpty = backlog.opens(forJobs: Backlog.mostJobs / 2)
    #expect(!opensFull && opensHalfEmpty && !backlog.isFull)
  }

  @Test("a long scan is followed by a pause, also after hints")
  func pause() {
    var schedule = ScanSchedule()
    #expect(schedule.isPeriodicDue(at: 0))
    schedule.beginPeriodic(at: 0, pace: 3)
    schedule.noteScan(from: 0, to: 2, wanted: nil)
    schedule.hint(at: 2.5)
    #expect(schedule.deadline == 10)
  }

  @Test("after a failed claim, the periodic scan is due when the spool has rested")
  func rest() {
    var schedule = ScanSchedule()
    schedule.beginPeriodic(at: 0, pace: 60)
    schedule.noteScan(from: 0, to: 0, wanted: nil)
    schedule.postpone(to: 5)
    schedule.hint(at: 1)
    #expect(schedule.deadline == 5 && schedule.isPeriodicDue(at: 5))
  }

  @Test("the first names that were taken are forgotten first")
  func names() {
    var taken = TakenNames()
    for number in 0...TakenNames.most { taken.note(FileName("\(number)"), job: "j\(number)") }
    #expect(taken["0"] == nil && taken["1"] == "j1")
  }
}
