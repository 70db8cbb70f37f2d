import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// Interrupts a job between every two changes to the file system, and starts again each time.
@Suite("Crashes on the way through the spool")
struct CrashTests {
  @Test(
    "a job that is interrupted at any change is in one place, and the next start finishes it",
    arguments: [Drop.Form.loose, .folder], SpoolWay.End.allCases)
  func everyChange(form: Drop.Form, end: SpoolWay.End) throws {
    for course in [FaultPlan.Course.persistent, .once] {
      var step = 0
      var isThrough = false
      while !isThrough {
        step += 1
        try #require(step < 200)
        let way = try SpoolWay(form)
        let plan = FaultPlan(failAt: step, course, code: ENOSPC)
        FaultPlan.$current.withValue(plan) {
          do {
            try way.claim()
            try way.finish(end)
          } catch {
            // The interruption.
          }
        }
        isThrough = !plan.hasFailed
        let places = try way.places()
        let isGone = end == .migratedDeleting && places.isEmpty
        #expect(places.count == 1 || isGone, "\(form), \(end), change \(step): \(places)")
        // The next start.
        try way.finish(end)
        try way.claim()
        try way.finish(end)
        try way.check(end, step)
      }
      #expect(step > 20)
    }
  }

  @Test(
    "everything is durable before the rename to the result, and the rename before the job's folder is removed",
    arguments: SpoolWay.End.allCases)
  func order(end: SpoolWay.End) throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    let plan = FaultPlan(failAt: Int.max, .once, code: 0)
    try FaultPlan.$current.withValue(plan) { try way.finish(end) }
    let work = way.folder.path("spool/work/\(job)")
    let delivery = work + "/delivery"
    let rename = try #require(plan.journal.firstIndex(of: "rename \(delivery)"))
    let fsync = { (path: String) in plan.journal.lastIndex(of: "fsync " + path) ?? -1 }
    let papers =
      end == .refused
      ? ["reason.json", "report.html", "report.txt"] : ["report.html", "report.json", "report.txt"]
    let store: [String]
    switch end {
    case .migrated: store = ["N.sqlite", ".N_SUPPORT/B", "original/N.sqlite", "original/N.sqlite-wal"]
    case .migratedDeleting: store = ["N.sqlite", ".N_SUPPORT", ".N_SUPPORT/B"]
    case .alreadyCurrent: store = ["N.sqlite", "N.sqlite-wal", ".N_SUPPORT/_EXTERNAL_DATA/A"]
    case .refused: store = ["original/N.sqlite", "original/.N_SUPPORT/_EXTERNAL_DATA/A", "original"]
    }
    for name in papers + store { #expect((0..<rename).contains(fsync("\(delivery)/\(name)")), "\(name)") }
    #expect((0..<rename).contains(fsync(delivery)))
    let destination = fsync(way.folder.path(end == .refused ? "spool/failed" : "spool/done"))
    let goes = try #require(plan.journal.firstIndex(of: "rename \(work)"))
    #expect(rename < destination && destination < goes)
  }

  @Test("a drop's record is durable before the drop is moved, and its new place before incoming is synced")
  func claimOrder() throws {
    let way = try SpoolWay(.folder)
    let plan = FaultPlan(failAt: Int.max, .once, code: 0)
    try FaultPlan.$current.withValue(plan) { try way.claim() }
    let job = way.folder.path("spool/work/\(try #require(try way.folder.names("spool/work").last))")
    let taken = try #require(plan.journal.firstIndex(of: "rename \(way.folder.path("spool/incoming/F"))"))
    let before = plan.journal[..<taken]
    let record = try #require(before.firstIndex(of: "fsync \(job)/job.json"))
    let written = try #require(before.lastIndex(of: "write \(job)/job.json"))
    let folder = try #require(before.lastIndex(of: "fsync \(job)"))
    let work = try #require(before.lastIndex(of: "fsync \(way.folder.path("spool/work"))"))
    #expect(written < record && record < folder && folder < work)
    let after = plan.journal[taken...]
    let moved = try #require(after.firstIndex(of: "fsync \(job)"))
    let forgotten = try #require(after.firstIndex(of: "fsync \(way.folder.path("spool/incoming"))"))
    #expect(moved < forgotten)
  }

  @Test(
    "result, report files and delivery are durable before a job is decided, and nothing is made durable twice",
    arguments: SpoolWay.End.allCases)
  func decisionOrder(end: SpoolWay.End) throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = way.folder.path("spool/work/\(try #require(try way.folder.names("spool/work").last))")
    let plan = FaultPlan(failAt: Int.max, .once, code: 0)
    try FaultPlan.$current.withValue(plan) { try way.finish(end) }
    // A file is written and made durable before it gets its name.
    let decided = try #require(plan.journal.lastIndex(of: "write \(job)/job.json"))
    let papers =
      end == .refused
      ? ["reason.json", "report.html", "report.txt"] : ["report.html", "report.json", "report.txt"]
    let isMigrated = end == .migrated || end == .migratedDeleting
    let result = isMigrated ? ["N.sqlite", ".N_SUPPORT", ".N_SUPPORT/B"] : []
    for name in (papers + result).map({ "delivery/" + $0 }) + ["delivery"] {
      #expect(plan.journal[..<decided].contains("fsync \(job)/\(name)"), "\(name)")
    }
    // The name of the delivery is durable, too, because a decided job without a delivery counts as delivered.
    let named = try #require(plan.journal[..<decided].lastIndex(of: "fsync \(job)"))
    #expect(try named > #require(plan.journal.firstIndex(of: "fsync \(job)/delivery")))
    let moves = plan.journal.indices.filter {
      plan.journal[$0].hasPrefix("rename \(job)/source")
    }
    if isMigrated {
      let moved = try #require(plan.journal.firstIndex(of: "rename \(job)/output"))
      #expect(try moved < #require(plan.journal.firstIndex(of: "fsync \(job)/delivery")))
    }
    let durable = try #require(plan.journal[decided...].firstIndex(of: "fsync \(job)"))
    #expect(moves.isEmpty == (end == .migratedDeleting))
    #expect(moves.allSatisfy { durable < $0 })
    let files = plan.journal.filter { $0.hasPrefix("fsync \(job)/delivery/") }
    #expect(Set(files).count == files.count)
    // After the decision, the delivery is made durable again only if the original was moved into it.
    #expect(
      plan.journal[decided...].contains("fsync \(job)/delivery") == (end != .migratedDeleting), "\(end)")
  }

  @Test("a drop whose claim can't be made durable is moved back, whichever fsync fails")
  func claimGoesBack() throws {
    for form in [Drop.Form.loose, .folder] {
      let plain = FaultPlan(failAt: Int.max, .once, code: 0)
      let first = try SpoolWay(form)
      try FaultPlan.$current.withValue(plain) { try first.claim() }
      let steps = plain.journal.indices.filter { plain.journal[$0].hasPrefix("fsync") }
      #expect(steps.count > 4)
      for step in steps {
        let way = try SpoolWay(form)
        let plan = FaultPlan(failAt: step + 1, .once, code: EIO)
        FaultPlan.$current.withValue(plan) { #expect(throws: FileFailure.self) { try way.claim() } }
        #expect(try way.places().count == 1)
        #expect(try way.folder.names("spool/work").filter { $0 != ".arrival" }.isEmpty)
      }
    }
  }

  @Test("a decision that may be on the disk is revoked before the files that it needs are removed")
  func revoked() throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    var record = try #require(
      try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
    let exit = Departure(spool: way.spool, folder: try JobFolder(record.id, in: way.spool))
    let kind = PendingDeparture.Kind.refuse(
      MigrationFailure(.notSQLite, message: "No.", advice: "Other."))
    var decided = record
    try exit.refuse(
      &decided, MigrationFailure(FailureReason(word: "x"), .refuse, message: ""), at: 0)
    // This is the state after a failed fsync of the folder: the decision is on the disk, but the daemon doesn't know.
    #expect(try JobFolder(record.id, in: way.spool).record()?.state == .refusing)
    let plan = FaultPlan(failAt: Int.max, .once, code: 0)
    try FaultPlan.$current.withValue(plan) {
      _ = try kind.carryOut(exit, &record, originals: .keep, at: 0, again: true)
      try JobFolder.remove(record.id, from: way.spool)
    }
    let job = way.folder.path("spool/work/\(record.id)")
    let taken = try #require(plan.journal.firstIndex(of: "fsync \(job)"))
    let removed = try #require(plan.journal.firstIndex(of: "remove \(job)/delivery/reason.json"))
    #expect(taken < removed)
    #expect(try way.folder.text("spool/failed/\(record.id)/reason.json").contains("not-sqlite"))
  }
}
