import DecantSQLite
import Foundation
import Testing

@testable import DecantMigration

@Suite("The source isn't changed") struct SourceUntouchedTests {
  private static let versions = ["Note\n title String?", "Note\n title String?\n color String? = red"]
  private static let rows = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a');"

  /// Changes the source.
  ///
  /// The change is only in its `-wal`.
  private func leaveLog(_ shop: Workshop, _ sql: String) throws {
    let aside = shop.folder.url.appendingPathComponent("aside")
    try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
    let names = ["Store.sqlite", "Store.sqlite-wal"]
    do {
      let database = try SQLiteDatabase(shop.source.path, mode: .readWrite)
      _ = try database.rows("PRAGMA wal_autocheckpoint=0")
      try database.execute(sql)
      for name in names {
        try FileManager.default.copyItem(
          at: shop.source.deletingLastPathComponent().appendingPathComponent(name),
          to: aside.appendingPathComponent(name))
      }
    }
    try FileManager.default.removeItem(at: shop.source.deletingLastPathComponent())
    try FileManager.default.moveItem(at: aside, to: shop.source.deletingLastPathComponent())
  }

  @Test func whatIsInTheLogAloneIsMigratedAndStoreAndLogStay() throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(Self.rows)
    try leaveLog(
      shop,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (2, 1, 1, 'log'); UPDATE ZNOTE SET ZTITLE = 'b' WHERE Z_PK = 1"
    )
    #expect(
      try FolderPicture(shop.source.deletingLastPathComponent()).files.keys.sorted() == [
        "Store.sqlite", "Store.sqlite-wal",
      ])
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 color='red' title='b'", "Note#2 color='red' title='log'"])
    #expect(try FolderPicture(shop.output.deletingLastPathComponent()).files.keys.sorted() == ["Store.sqlite"])
  }

  @Test func aCurrentStoreWithALogLeavesNoCopyBehind() throws {
    let shop = try Workshop("Note\n title String?")
    try shop.makeStore(Self.rows)
    try leaveLog(shop, "UPDATE ZNOTE SET ZTITLE = 'b'")
    let before = try FolderPicture(shop.folder.url)
    #expect(try Migration.run(shop.job()).result == .alreadyCurrent)
    #expect(
      try FolderPicture(shop.folder.url).files.keys.filter { before.files[$0] == nil && $0 != "out" } == [])
    #expect(
      try FolderPicture(shop.source.deletingLastPathComponent()).files["Store.sqlite-wal"]
        == before.files["in/Store.sqlite-wal"])
  }

  @Test(arguments: [true, false])
  func theJournalModeOfTheHeaderIsKept(usesWriteAheadLog: Bool) throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(usesWriteAheadLog: usesWriteAheadLog, Self.rows)
    let result = try shop.migrate()
    let header = try #require(FileManager.default.contents(atPath: shop.output.path)).dropFirst(18).prefix(2)
    #expect([UInt8](header) == (usesWriteAheadLog ? [2, 2] : [1, 1]))
    // The report notes that a -wal may have been left behind.
    #expect(result.report.notes.contains { $0.contains("No -wal is beside the store") } == usesWriteAheadLog)
    #expect(!result.report.warnings.contains { $0.contains("-wal") })
  }

  @Test func aSourceThatCannotBeWrittenIsMigratedLikeAnyOther() throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(Self.rows)
    let folder = shop.source.deletingLastPathComponent().path
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: shop.source.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    #expect(try shop.migrate().lines == ["Note#1 color='red' title='a'"])
  }

  @Test(
    arguments: [
      ("", "empty"),
      ("Some text that is no database at all, but long enough to be looked at as one.", "not-sqlite"),
    ])
  func whatIsNoStoreIsRefusedAndStays(text: String, reason: String) throws {
    let shop = try Workshop(Self.versions)
    try shop.folder.write(text, to: "in/Store.sqlite")
    #expect(try shop.failure().reason.word == reason)
    #expect(!FileManager.default.fileExists(atPath: shop.work.path))
  }

  @Test func tablesThatAreNotTheModelsAreRefusedByName() throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(finally: "CREATE TABLE notes_fts (x)", Self.rows)
    let failure = try shop.failure()
    #expect(failure.reason == .unknownTables)
    #expect(failure.message.contains("notes_fts"))
  }

  @Test(
    "a store with a view or trigger that Core Data doesn't make is refused, and the view or trigger is named",
    arguments: [
      "CREATE VIEW shown AS SELECT * FROM ZNOTE", "CREATE VIEW Z_DA_shown AS SELECT * FROM ZNOTE",
      "CREATE TRIGGER shown AFTER INSERT ON ZNOTE BEGIN UPDATE ZNOTE SET Z_OPT = 1; END",
      "CREATE TRIGGER Z_DA_shown AFTER INSERT ON ZNOTE BEGIN UPDATE ZNOTE SET Z_OPT = 1; END",
      "CREATE TRIGGER ZNOTE AFTER INSERT ON ZNOTE BEGIN UPDATE ZNOTE SET Z_OPT = 1; END",
    ])
  func viewsAndTriggersAreRefusedByName(statement: String) throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(finally: statement, Self.rows)
    let before = try Data(contentsOf: shop.source)
    let failure = try shop.failure()
    #expect(failure.reason == .viewsAndTriggers)
    let name = String(statement.split(separator: " ")[2])
    #expect(failure.message.hasSuffix("has views or triggers that Core Data doesn't make: \(name)."))
    #expect(failure.advice.contains("Remove them from a copy of the store"))
    #expect(try Data(contentsOf: shop.source) == before)
  }
}
