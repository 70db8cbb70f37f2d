import DecantModel
import DecantSQLite
import Foundation
import Synchronization
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("A disk that fails to read") struct FailingDiskTests {
  private static let versions = [
    "Note\n title String?\n text String?", "Note\n text String?\n title String?\n color String? = red",
  ]

  /// A store with several pages, and with changes that are only in its `-wal`.
  private func shop(hasLog: Bool = true) throws -> Workshop {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT) SELECT i, 1, 1, 't' || i, hex(zeroblob(200)) FROM n;
      """)
    guard hasLog else { return shop }
    let folder = shop.source.deletingLastPathComponent()
    let aside = shop.folder.url.appendingPathComponent("aside")
    try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
    do {
      let database = try SQLiteDatabase(shop.source.path, mode: .readWrite)
      _ = try database.rows("PRAGMA wal_autocheckpoint=0")
      try database.execute("UPDATE ZNOTE SET ZTITLE = 'late' WHERE Z_PK % 2 = 0")
      for name in ["Store.sqlite", "Store.sqlite-wal"] {
        try FileManager.default.copyItem(
          at: folder.appendingPathComponent(name), to: aside.appendingPathComponent(name))
      }
    }
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: aside, to: folder)
    return shop
  }

  /// Migrates once for each read of a place: this read fails.
  ///
  /// Checks each result.
  ///
  /// - Returns: The number of reads.
  private func tryEach(_ shop: Workshop, at place: String, isPersistent: Bool, small: Bool = true) throws -> Int
  {
    let before = try FolderPicture(shop.source.deletingLastPathComponent())
    let expected = try shop.migrate()
    var number = 0
    while true {
      number += 1
      try FileManager.default.removeItem(at: shop.output)
      var job = shop.job()
      if !small { job.smallStoreMemory = 0 }
      let plan = DiskFaultPlan(at: place, failAt: number, isPersistent: isPersistent, code: EIO)
      let result = Result { try plan.arming { try Migration.run(job) } }
      #expect(try FolderPicture(shop.source.deletingLastPathComponent()) == before, "read \(number)")
      guard plan.hasFailed else {
        _ = try result.get()
        return number - 1
      }
      switch result {
      case .success(let report):
        // A read that fails once is repeated.
        #expect(try shop.finished(report).lines == expected.lines, "read \(number)")
        #expect(report.warnings == expected.report.warnings && report.losses == expected.report.losses)
      case .failure(let error):
        let failure = try #require(error as? MigrationFailure)
        #expect(isPersistent, "read \(number): \(failure)")
        #expect(failure.reason == .disk, "read \(number): \(failure)")
        #expect(failure.exitCode == 74 && failure.disposition == .retry && failure.coreDataCode == nil)
        #expect(failure.message.contains(place) && failure.message.contains("Input/output error"), "\(failure)")
        #expect(failure.message.contains("not the store") && !failure.advice.contains("room"), "\(failure)")
        #expect(!FileManager.default.fileExists(atPath: shop.output.path), "read \(number)")
        // The work continues when the disk works again.
        #expect(try shop.finished(Migration.run(shop.job())).lines == expected.lines, "read \(number)")
      }
      try? FileManager.default.removeItem(at: shop.work)
    }
  }

  @Test("a single failed read of the store or its -wal is repeated; a broken disk is reported")
  func store() throws {
    for isPersistent in [false, true] {
      let shop = try shop()
      #expect(try tryEach(shop, at: shop.source.path, isPersistent: isPersistent) > 10)
    }
  }

  @Test("a single failed read of a store that isn't read into memory is repeated")
  func inPlace() throws {
    for isPersistent in [false, true] {
      let shop = try shop(hasLog: false)
      #expect(try tryEach(shop, at: shop.source.path, isPersistent: isPersistent, small: false) > 5)
    }
  }

  @Test("a single failed read of the catalogue is repeated")
  func catalogue() throws {
    for isPersistent in [false, true] {
      let shop = try shop(hasLog: false)
      #expect(try tryEach(shop, at: shop.catalogue.path, isPersistent: isPersistent) > 3)
    }
  }

  @Test("a single failed read behind a link in the catalogue is repeated: a bundle, or a family's folder")
  func linkedCatalogue() throws {
    for (name, end) in [("Notes/Notes.xcdatamodeld", "App.xcdatamodeld"), ("Notes", "Family")] {
      for isPersistent in [false, true] {
        let shop = try shop(hasLog: false)
        let elsewhere = shop.folder.url.appendingPathComponent("elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        let (link, place) = (shop.catalogue.appendingPathComponent(name), elsewhere.appendingPathComponent(end))
        try FileManager.default.moveItem(at: link, to: place)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
        #expect(try tryEach(shop, at: elsewhere.path, isPersistent: isPersistent) > 2)
      }
    }
  }

  @Test("work continues from the chunks committed before a failed read, at once and in a later run")
  func resumes() throws {
    let shop = try shop(hasLog: false)
    let expected = try shop.migrate()
    var resumed = (atOnce: 0, later: 0)
    for isPersistent in [false, true] {
      var number = 0
      while true {
        number += 1
        try FileManager.default.removeItem(at: shop.output)
        let plan = DiskFaultPlan(at: shop.source.path, failAt: number, isPersistent: isPersistent, code: EIO)
        let result = Result { try plan.arming { try Migration.run(shop.job(chunkSize: 3)) } }
        let report = try isPersistent && plan.hasFailed ? Migration.run(shop.job(chunkSize: 3)) : result.get()
        #expect(try shop.finished(report).lines == expected.lines, "read \(number)")
        let isResumed = report.steps.contains { $0.resumedChunks > 0 }
        if isResumed { if isPersistent { resumed.later += 1 } else { resumed.atOnce += 1 } }
        guard plan.hasFailed else { break }
      }
    }
    #expect(resumed.atOnce > 0 && resumed.later > 0, "\(resumed)")
  }

  @Test("no chunk is committed after a failed read, even if the reading code continues")
  func swallowed() throws {
    let shop = try shop(hasLog: false)
    let expected = try shop.migrate()
    try FileManager.default.removeItem(at: shop.output)
    let rows = Mutex(0)
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(
        shop.job(chunkSize: 10),
        progress: { progress in
          let isFurther = rows.withLock { rows in
            defer { rows = max(rows, progress.rowsDone) }
            return progress.rowsDone > rows
          }
          if isFurther { DiskWatch.note(shop.source.path, "read", EIO) }
        })
    }
    #expect(failure?.reason == .disk)
    let report = try Migration.run(shop.job(chunkSize: 10))
    #expect(try shop.finished(report).lines == expected.lines)
    // Each of the two attempts committed one chunk before the failure.
    #expect(report.steps[0].resumedChunks == 2)
  }

  @Test("a plan, too, is made of what the second attempt read")
  func plan() throws {
    let shop = try shop()
    let expected = try Migration.plan(shop.job())
    for number in 1...60 {
      let once = DiskFaultPlan(at: shop.source.path, failAt: number, isPersistent: false, code: EIO)
      #expect(try once.arming { try Migration.plan(shop.job()) } == expected, "read \(number)")
      guard once.hasFailed else { return }
      let always = DiskFaultPlan(at: shop.source.path, failAt: number, isPersistent: true, code: ESTALE)
      let failure = #expect(throws: MigrationFailure.self) {
        try always.arming { try Migration.plan(shop.job()) }
      }
      #expect(failure?.reason == .disk, "read \(number): \(String(describing: failure))")
    }
  }

  @Test("a damaged store is reported as damaged after the second attempt")
  func damage() throws {
    let shop = try shop(hasLog: false)
    let file = try FileHandle(forUpdating: shop.source)
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(shop.job()) }
    #expect(failure?.reason == .damaged && failure?.exitCode == 65)
  }

  @Test("a file that is too short isn't reported as a failed disk")
  func short() throws {
    let shop = try shop(hasLog: false)
    truncate(shop.source.path, 8192)
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(shop.job()) }
    #expect(failure?.reason == .truncated)
  }

  @Test("SQLite's error for a failed disk doesn't mean a full disk, its error for a full disk does")
  func words() throws {
    let folder = try Workshop(Self.versions).folder
    let path = folder.path("a.sqlite")
    let database = try SQLiteDatabase(path, mode: .create)
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (hex(zeroblob(20000)))")
    let other = try SQLiteDatabase(path, mode: .immutable)
    let plan = DiskFaultPlan(at: path, failAt: 1, isPersistent: true, code: EIO)
    let error = plan.arming { #expect(throws: SQLiteError.self) { try other.rows("SELECT * FROM t") } }
    #expect(error?.diskFailure == DiskFailure(path: path, action: "read", code: EIO))
    #expect(error?.isNoRoom == false && error?.isDamage == false)
    _ = try database.rows("PRAGMA max_page_count=20")
    let full = #expect(throws: SQLiteError.self) {
      try database.execute("INSERT INTO t VALUES (hex(zeroblob(200000)))")
    }
    #expect(full?.isNoRoom == true && full?.diskFailure == nil)
  }
}
