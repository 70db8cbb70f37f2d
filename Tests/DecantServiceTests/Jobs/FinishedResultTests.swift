import DecantCatalogue
import DecantTestSupport
import Foundation
import Glibc
import SpoolSupport
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantService
@testable import DecantSpool

/// A complete result with its note is delivered even if the worker or the daemon dies before the report.
@Suite("Results that are complete and noted")
struct FinishedResultTests {
  /// A claimed job whose worker has finished.
  ///
  /// A second worker would refuse the store.
  struct Finished {
    let fixture: DaemonFixture
    let job: String

    init(isNoted: Bool = true, store: String = "not to be migrated again") throws {
      fixture = try DaemonFixture { $0.retrySeconds = 0.01 }
      try fixture.put(store, "A.sqlite")
      let spool = try Spool(path: fixture.folder.path("spool"))
      let scan = try IncomingScan(of: spool.incoming, access: .current, now: 0)
      var counter = try ArrivalCounter(spool: spool, inUse: [])
      let drop = try #require(scan.sightings.first?.drop)
      _ = try Claim(spool: spool).take(drop, arrival: try counter.next(spool: spool), at: 1_795_183_200)
      job = try #require(try fixture.work().first)
      try fixture.folder.write("new", to: "spool/work/\(job)/output/A.sqlite")
      try fixture.folder.write("data", to: "spool/work/\(job)/output/.A_SUPPORT/B")
      try fixture.folder.makeFolder("spool/work/\(job)/engine")
      if isNoted { try note() }
    }

    func note() throws {
      let report = MigrationReport(
        result: .migrated, store: "A.sqlite", family: "Notas", sourceVersion: "1", targetVersion: "2",
        warnings: ["as the worker said"], decantVersion: "t")
      let output = fixture.folder.path("spool/work/\(job)/output/A.sqlite")
      let work = URL(fileURLWithPath: fixture.folder.path("spool/work/\(job)/engine"))
      let asked = MigrationJob(
        source: URL(fileURLWithPath: fixture.folder.path("spool/work/\(job)/source/A.sqlite")),
        output: URL(fileURLWithPath: output), workFolder: work,
        catalogue: URL(fileURLWithPath: fixture.configuration.catalogue, isDirectory: true))
      // With this stamp, the catalogue counts as old.
      let family = FamilyStamp(of: fixture.folder.path("catalogue/Notas"), at: .max)
      try ResultNote(report, file: output, of: asked, family).write(to: work)
    }

    /// Checks that the result was delivered without another worker.
    func check(_ note: Comment) throws {
      #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty }, note)
      #expect(try fixture.folder.text("spool/done/A.sqlite/A.sqlite") == "new", note)
      #expect(try fixture.folder.text("spool/done/A.sqlite/.A_SUPPORT/B") == "data", note)
      #expect(try fixture.folder.text("spool/done/A.sqlite/report.json").contains("as the worker said"), note)
      #expect(try fixture.folder.text("spool/done/A.sqlite/original/A.sqlite").hasPrefix("not to be"), note)
      let log = try fixture.log()
      #expect(!log.contains { $0.contains("event=started") }, note)
      #expect(log.contains { $0.contains("event=done") }, note)
    }
  }

  @Test("a daemon that starts delivers the result without a worker, even if room is short")
  func start() throws {
    let finished = try Finished()
    finished.fixture.configuration.minimumFreeBytes = .max
    try finished.fixture.start()
    try finished.check("at the start")
    #expect(try finished.fixture.log().contains { $0.contains("event=finished") })
  }

  @Test("a delivery that was being prepared is continued")
  func prepared() throws {
    let finished = try Finished()
    let work = "spool/work/\(finished.job)"
    try finished.fixture.folder.rename("\(work)/output", to: "\(work)/delivery")
    try finished.fixture.folder.write("half a rep", to: "\(work)/delivery/report.json")
    try finished.fixture.start()
    try finished.check("with delivery/")
  }

  @Test("a delivery that was being prepared continues, even if another run left a file in its place")
  func twoFiles() throws {
    let finished = try Finished()
    let work = "spool/work/\(finished.job)"
    try finished.fixture.folder.rename("\(work)/output", to: "\(work)/delivery")
    try finished.fixture.folder.write("of another run", to: "\(work)/output/A.sqlite")
    try finished.fixture.folder.write("of another run", to: "\(work)/output/B.sqlite")
    try finished.fixture.start()
    try finished.check("with delivery/ and output/")
    #expect(try !finished.fixture.folder.names("spool/done/A.sqlite").contains("B.sqlite"))
  }

  @Test("if its departure is interrupted at any change, the next daemon delivers the result")
  func everyChange() throws {
    var step = 0
    while true {
      step += 1
      let finished = try Finished()
      let plan = FaultPlan(failAt: step, .persistent, code: EIO)
      FaultPlan.$current.withValue(plan) {
        // The first changes prepare the spool.
        if let daemon = try? finished.fixture.start() {
          for _ in 0..<3 { daemon.turn(timeout: 0.002) }
        }
        finished.fixture.drop()
      }
      try finished.fixture.start()
      try finished.check("interrupted at change \(step)")
      guard plan.hasFailed else { break }
    }
    #expect(step > 8)
  }

  @Test("if the family has changed, a worker gets the job, and finds the kept result")
  func changedFamily() throws {
    let finished = try Finished(store: "kept")
    try finished.fixture.folder.write("{}", to: "catalogue/Notas/family.json5")
    try finished.fixture.start()
    #expect(try finished.fixture.turn { try finished.fixture.done().count == 1 })
    let log = try finished.fixture.log()
    #expect(log.contains { $0.contains("event=started") } && !log.contains { $0.contains("event=finished") })
    #expect(try finished.fixture.folder.text("spool/done/A.sqlite/A.sqlite") == "new")
  }

  @Test("with another catalogue, a worker checks the result")
  func otherCatalogue() throws {
    let finished = try Finished(store: "kept")
    try finished.fixture.folder.write(
      DaemonFixture.model, to: "other/Notas/N.xcdatamodeld/N.xcdatamodel/contents")
    finished.fixture.configuration.catalogue = finished.fixture.folder.path("other")
    try finished.fixture.start()
    #expect(try finished.fixture.turn { try finished.fixture.done().count == 1 })
    #expect(try finished.fixture.log().contains { $0.contains("event=started") })
  }

  @Test("a delivery that has begun is continued, whatever has changed")
  func leaving() throws {
    let finished = try Finished()
    let work = "spool/work/\(finished.job)"
    try finished.fixture.folder.rename("\(work)/output", to: "\(work)/delivery")
    try finished.fixture.folder.write("{}", to: "catalogue/Notas/family.json5")
    try finished.fixture.start()
    try finished.check("with delivery/ and a changed family")
  }

  @Test("without a note, or with the note of another file, a worker gets the job again")
  func unnoted() throws {
    let plain = try Finished(isNoted: false)
    let changed = try Finished()
    try changed.fixture.folder.write("other", to: "spool/work/\(changed.job)/output/A.sqlite")
    let foreign = try Finished()
    try foreign.fixture.folder.write("{}", to: "spool/work/\(foreign.job)/engine/finished.json")
    let large = try Finished()
    let note = large.fixture.folder.path("spool/work/\(large.job)/engine/finished.json")
    #expect(truncate(note, ResultNote.largest + 1) == 0)
    for finished in [plain, changed, foreign, large] {
      try finished.fixture.start()
      #expect(try finished.fixture.turn { try finished.fixture.failed().count == 1 })
      #expect(try finished.fixture.log().contains { $0.contains("event=started") })
    }
  }
}
