import DecantModel
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantStore

/// Sealing removes the working tables from a finished file, and the space that they used.
@Suite("Sealing a working file") struct SealTests {
  /// A working file with 30 pages of rows between pages of a working table.
  private static func file(pages: Int, in folder: TemporaryFolder) throws -> DestinationStore {
    let entity = Entity(name: "Nota", attributes: [Attribute(name: "texto", type: .string, isOptional: true)])
    let layout = try StoreLayout(ManagedObjectModel(entities: [entity]), framework: .current)
    let store = try DestinationStore(
      at: folder.url.appendingPathComponent("working").path, layout: layout,
      workTables: ["WORK": "CREATE TABLE WORK (value)"])
    let fill = "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < \(pages)) "
    try store.database.execute("\(fill) INSERT INTO WORK SELECT zeroblob(3500) FROM n")
    try store.database.execute(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 30) "
        + "INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZTEXTO) SELECT k, 1, 1, printf('%03500d', k) FROM n")
    try store.database.execute("\(fill) INSERT INTO WORK SELECT zeroblob(3500) FROM n")
    return store
  }

  private static func check(_ store: DestinationStore) throws {
    let database = store.database
    #expect(try database.integer("PRAGMA freelist_count") == 0)
    #expect(try database.integer("PRAGMA page_count") < 60)
    #expect(try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'WORK'") == 0)
    #expect(try database.integer("SELECT sum(CAST(ZTEXTO AS INTEGER) = Z_PK) FROM ZNOTA") == 30)
    #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("a seal leaves no free pages, however many there were", arguments: [3, 120, 700, 6_000])
  func whole(pages: Int) throws {
    let folder = try TemporaryFolder()
    let store = try Self.file(pages: pages, in: folder)
    try store.seal(workTables: ["WORK"], usesWriteAheadLog: false)
    try Self.check(store)
    // A second seal changes nothing.
    try store.seal(workTables: ["WORK"], usesWriteAheadLog: false)
    try Self.check(store)
  }

  @Test(
    "a seal continues where an earlier one was killed, after any number of its moves", arguments: [0, 1, 3, 6])
  func killed(moves: Int) throws {
    let folder = try TemporaryFolder()
    let store = try Self.file(pages: 1_000, in: folder)
    try store.database.execute("DROP TABLE WORK")
    for _ in 0..<moves { try store.database.execute("PRAGMA main.incremental_vacuum(256)") }
    // The next move is killed: pages have been moved, and a journal restores them.
    try store.database.execute("PRAGMA cache_size=5; BEGIN; PRAGMA main.incremental_vacuum(256)")
    let copy = folder.url.appendingPathComponent("copy").path
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy + suffix)
    }
    let next = try DestinationStore(at: copy, layout: store.layout)
    #expect(try next.database.integer("PRAGMA freelist_count") > 256)
    try next.seal(workTables: ["WORK"], usesWriteAheadLog: true)
    try Self.check(next)
  }

  @Test("the journal of a seal is much smaller than the removed pages")
  func journal() throws {
    let folder = try TemporaryFolder()
    let store = try Self.file(pages: 2_000, in: folder)
    // The pages at the end of the file must be moved. They are as many as those of the working table.
    try store.database.execute(
      "WITH RECURSIVE n (k) AS (VALUES (31) UNION ALL SELECT k + 1 FROM n WHERE k < 2030) "
        + "INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZTEXTO) SELECT k, 1, 1, printf('%03500d', k) FROM n")
    // In this mode a journal keeps its length, so an open descriptor still shows it after the journal is deleted.
    _ = try store.database.rows("PRAGMA journal_mode=PERSIST")
    try store.database.execute("UPDATE ZNOTA SET Z_OPT = 2 WHERE Z_PK = 1")
    let journal = open(store.path + "-journal", O_RDONLY)
    defer { close(journal) }
    try store.seal(workTables: ["WORK"], usesWriteAheadLog: false)
    var status = stat()
    #expect(fstat(journal, &status) == 0 && status.st_nlink == 0)
    #expect(status.st_size > 0 && status.st_size < 4_000 * 4_096 / 4, "\(status.st_size)")
    #expect(try store.database.integer("SELECT count(*) FROM ZNOTA") == 2_030)
    #expect(try store.database.integer("PRAGMA freelist_count") == 0)
  }
}
