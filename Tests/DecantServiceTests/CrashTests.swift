import DecantMigration
import DecantReport
import Foundation
import Glibc
import Testing

@testable import DecantService

/// Interrupts a job between every two changes to the file system, and starts again each time.
@Suite("Crashes on the way through the spool")
struct CrashTests {
  /// A spool with one drop, and a daemon's work on it, without workers.
  struct Way {
    let folder: TemporaryFolder
    let spool: Spool

    init(_ form: Drop.Form) throws {
      folder = try TemporaryFolder(inMemory: true)
      spool = try Spool(path: folder.path("spool"))
      let base = "spool/incoming/" + (form == .folder ? "F/" : "")
      for (name, text) in Way.files { try folder.write(text, to: base + name) }
    }

    static let files = [
      "N.sqlite": "store", "N.sqlite-wal": "wal", ".N_SUPPORT/_EXTERNAL_DATA/A": "data",
      "N.sqlite.request.json5": "{ priority: 3 }",
    ]

    enum End: CaseIterable {
      case migrated
      case migratedDeleting
      case alreadyCurrent
      case refused
    }

    /// Claims the drop in `incoming/`.
    func claim() throws {
      for sighting in try IncomingScan(of: spool.incoming, access: .current, now: 0).sightings {
        guard let drop = sighting.drop, sighting.obstacles.isEmpty else { continue }
        var counter = try ArrivalCounter(spool: spool, inUse: [])
        let arrival = try counter.next(spool: spool)
        _ = try Claim(spool: spool).take(drop, arrival: arrival, at: 1_795_183_200)
      }
    }

    /// Finishes every job in `work/`.
    func finish(_ end: End) throws {
      for var record in try Recovery(spool: spool).run(known: { _ in false }, at: 1_795_183_200).records {
        let jobFolder = try JobFolder(record.id, in: spool)
        let departure = Departure(spool: spool, folder: jobFolder)
        if record.state == .queued {
          // The files that a worker would leave.
          let output = folder.path("spool/work/\(record.id)/output")
          try FileManager.default.createDirectory(
            atPath: output + "/.N_SUPPORT", withIntermediateDirectories: true)
          try Data("new".utf8).write(to: URL(fileURLWithPath: output + "/N.sqlite"))
          try Data("new".utf8).write(to: URL(fileURLWithPath: output + "/.N_SUPPORT/B"))
          var report = MigrationReport(
            result: .migrated, store: "N.sqlite", family: "Notas", sourceVersion: "1", targetVersion: "2",
            decantVersion: "t")
          switch end {
          case .migrated: try departure.deliver(&record, report, originals: .keep)
          case .migratedDeleting: try departure.deliver(&record, report, originals: .delete)
          case .alreadyCurrent:
            report.result = .alreadyCurrent
            try departure.deliver(&record, report, originals: .keep)
          case .refused:
            let failure = MigrationFailure(
              .notSQLite, message: "No.", advice: "Other.")
            try departure.refuse(&record, failure, at: 1_795_183_200)
          }
        }
        try departure.complete(record)
        try JobFolder.remove(record.id, from: spool)
      }
    }

    /// The number of the four folders that hold the original store.
    func places() throws -> [String] {
      try folder.tree("spool").filter { $0.key.hasSuffix("N.sqlite") && $0.value == "store" }.map(\.key)
    }

    /// Checks that each file is in its place, and nowhere else.
    func check(_ end: End, _ step: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let note = Comment("\(end), interrupted at change \(step)")
      #expect(try folder.names("spool/incoming").isEmpty, note, sourceLocation: sourceLocation)
      let rest = try folder.names("spool/work").filter { $0 != ".arrival" }
      #expect(rest.isEmpty, note, sourceLocation: sourceLocation)
      var tree = try folder.tree(end == .refused ? "spool/failed" : "spool/done")
      let prefix = (tree.keys.first?.split(separator: "/").first).map { $0 + "/" } ?? ""
      for paper in ["report.html", "report.json", "report.txt", "reason.json"] { tree[prefix + paper] = nil }
      let original = Dictionary(
        uniqueKeysWithValues: Way.files.map { (prefix + "original/" + $0.key, $0.value) })
      let new = [prefix + "N.sqlite": "new", prefix + ".N_SUPPORT/B": "new"]
      switch end {
      case .refused: #expect(tree == original, note, sourceLocation: sourceLocation)
      case .migrated:
        #expect(tree == original.merging(new) { $1 }, note, sourceLocation: sourceLocation)
      case .migratedDeleting: #expect(tree == new, note, sourceLocation: sourceLocation)
      case .alreadyCurrent:
        let same = Dictionary(uniqueKeysWithValues: Way.files.map { (prefix + $0.key, $0.value) })
        #expect(tree == same, note, sourceLocation: sourceLocation)
      }
      #expect(try folder.names(end == .refused ? "spool/done" : "spool/failed").isEmpty, note)
    }
  }

  @Test(
    "interrupted at any change, a job is at one place, and the next start brings it to its end",
    arguments: [Drop.Form.loose, .folder], Way.End.allCases)
  func everyChange(form: Drop.Form, end: Way.End) throws {
    for course in [FaultPlan.Course.persistent, .once] {
      var step = 0
      var isThrough = false
      while !isThrough {
        step += 1
        try #require(step < 200)
        let way = try Way(form)
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
    "everything is durable before the one rename, the rename before the job's folder goes",
    arguments: Way.End.allCases)
  func order(end: Way.End) throws {
    let way = try Way(.folder)
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

  @Test("a drop's record is durable before the drop is taken, its new place before incoming forgets it")
  func claimOrder() throws {
    let way = try Way(.folder)
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
    "result, papers and delivery are durable before a job is decided, and nothing is made durable twice",
    arguments: Way.End.allCases)
  func decisionOrder(end: Way.End) throws {
    let way = try Way(.folder)
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
    // The delivery's own name, too: a decided job without a delivery counts as delivered.
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
  }

  @Test(
    "files that a worker has linked and moved stay, and the job is found again",
    arguments: ["output", "delivery"])
  func foundAtWork(place: String) throws {
    for form in [Drop.Form.loose, .folder] {
      let way = try Way(form)
      try way.claim()
      let job = try #require(try way.folder.names("spool/work").last)
      let external = "spool/work/\(job)/\(place)/.N_SUPPORT/_EXTERNAL_DATA"
      try way.folder.makeFolder(external)
      let original = way.folder.path("spool/work/\(job)/source/.N_SUPPORT/_EXTERNAL_DATA/A")
      #expect(link(original, way.folder.path(external + "/A")) == 0)
      try way.folder.write("put aside", to: "spool/work/\(job)/\(place)/N.quarantine.json")
      try way.folder.write("so far", to: "spool/work/\(job)/engine/checkpoint")
      let record = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      #expect(record.state == .queued)
      #expect(try way.folder.text("spool/work/\(job)/engine/checkpoint") == "so far")
      #expect(try way.folder.text("spool/work/\(job)/\(place)/N.quarantine.json") == "put aside")
      #expect(try way.folder.text("spool/work/\(job)/source/.N_SUPPORT/_EXTERNAL_DATA/A") == "data")
      // The run is only repeated if the worker had finished.
      let jobFolder = try JobFolder(job, in: way.spool)
      #expect(try jobFolder.hasEndedRun(of: "N.sqlite") == (place == "delivery"))
    }
  }

  @Test("a file that has a name elsewhere is refused, also where a worker was at it")
  func linkedElsewhere() throws {
    let way = try Way(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    let original = way.folder.path("spool/work/\(job)/source/.N_SUPPORT/_EXTERNAL_DATA/A")
    #expect(link(original, way.folder.path("elsewhere")) == 0)
    let record = try #require(
      try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
    #expect(record.state == .refusing)
  }

  @Test("a decision without its delivery is void: the store is queued again")
  func lostDelivery() throws {
    for (state, delivery) in [
      (JobRecord.State.refusing, JobRecord.Delivery?.none), (.delivering, .source),
      (.delivering, .outputKeepingOriginal),
    ] {
      let way = try Way(.folder)
      try way.claim()
      var record = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      record.state = state
      record.delivery = delivery
      try JobFolder(record.id, in: way.spool).save(record)
      try way.finish(.migrated)
      try way.check(.migrated, 0)
    }
  }

  @Test("a drop whose claim can't be made durable goes back, at any failing fsync")
  func claimGoesBack() throws {
    for form in [Drop.Form.loose, .folder] {
      let plain = FaultPlan(failAt: Int.max, .once, code: 0)
      let first = try Way(form)
      try FaultPlan.$current.withValue(plain) { try first.claim() }
      let steps = plain.journal.indices.filter { plain.journal[$0].hasPrefix("fsync") }
      #expect(steps.count > 4)
      for step in steps {
        let way = try Way(form)
        let plan = FaultPlan(failAt: step + 1, .once, code: EIO)
        FaultPlan.$current.withValue(plan) { #expect(throws: FileFailure.self) { try way.claim() } }
        #expect(try way.places().count == 1)
        #expect(try way.folder.names("spool/work").filter { $0 != ".arrival" }.isEmpty)
      }
    }
  }

  @Test("a decision that may be on the disk is taken back before anything that it relies on goes")
  func revoked() throws {
    let way = try Way(.folder)
    try way.claim()
    var record = try #require(
      try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
    let exit = Departure(spool: way.spool, folder: try JobFolder(record.id, in: way.spool))
    let kind = PendingDeparture.Kind.refuse(
      MigrationFailure(.notSQLite, message: "No.", advice: "Other."))
    var decided = record
    try exit.refuse(
      &decided, MigrationFailure(FailureReason(word: "x"), .refuse, message: ""), at: 0)
    // As after a failed fsync of the folder: the decision is on the disk, but the daemon doesn't know.
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

  @Test("a claimed drop is queued again from its files, with its request")
  func claimedAnew() throws {
    for form in [Drop.Form.loose, .folder] {
      let way = try Way(form)
      try way.claim()
      let record = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      #expect(record.state == .queued)
      #expect(record.priority == 3)
      #expect(record.bytes > 0 && !record.fingerprint.isEmpty)
      #expect(record.title == "N.sqlite")
    }
  }

  @Test("a name that is taken in done gets the job's name behind it")
  func takenName() throws {
    let way = try Way(.loose)
    try way.folder.makeFolder("spool/done/N.sqlite")
    try way.claim()
    try way.finish(.migrated)
    let names = try way.folder.names("spool/done")
    #expect(names.count == 2)
    #expect(names.last == "N.sqlite~20261120T140000-000001")
  }

  @Test("a lost record is made again from the source")
  func lostRecord() throws {
    let way = try Way(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    try way.folder.write("not json", to: "spool/work/\(job)/job.json")
    try way.finish(.migrated)
    try way.check(.migrated, 0)
  }

  @Test("a lost record of files that don't tell their store ends in failed")
  func lostRecordWithoutStore() throws {
    let way = try Way(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    unlink(way.folder.path("spool/work/\(job)/job.json"))
    unlink(way.folder.path("spool/work/\(job)/source/N.sqlite"))
    try way.finish(.migrated)
    let reason = try way.folder.text("spool/failed/\(job)/reason.json")
    #expect(reason.contains("lost-record"))
    #expect(try way.folder.text("spool/failed/\(job)/original/N.sqlite-wal") == "wal")
  }

  @Test("a state that a newer version wrote is not guessed at; folders that are no jobs are left alone")
  func strangers() throws {
    let way = try Way(.folder)
    try way.folder.write("x", to: "spool/work/notes/n.txt")
    let findings = try Recovery(spool: way.spool).run(known: { _ in false }, at: 0)
    #expect(findings.strangers == ["notes"])
    #expect(try way.folder.text("spool/work/notes/n.txt") == "x")
  }

  @Test("the arrival number survives the loss of its file")
  func arrival() throws {
    let way = try Way(.folder)
    var counter = try ArrivalCounter(spool: way.spool, inUse: [3, 7])
    let next = try counter.next(spool: way.spool)
    #expect(next == 8)
    #expect(try ArrivalCounter(spool: way.spool, inUse: []).last == 7 + ArrivalCounter.block)
    try way.folder.write("rubbish", to: "spool/work/.arrival")
    #expect(try ArrivalCounter(spool: way.spool, inUse: [5]).last == 5)
    #expect(Recovery.arrival(of: ArrivalCounter.jobID(arrival: 12, at: 0)) == 12)
    #expect(Recovery.arrival(of: "notes") == nil)
  }

  @Test("a second daemon on the spool is refused, with the first one's process")
  func lock() throws {
    let way = try Way(.folder)
    let error = #expect(throws: SpoolError.self) { try Spool(path: way.spool.root.path) }
    #expect(error == .inUse(spool: way.spool.root.path, process: Int(getpid())))
    #expect(error?.exitCode == 75)
  }
}
