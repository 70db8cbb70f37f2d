import CommandSupport
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantConsole

@Suite("inspect")
struct InspectCommandTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  @Test("a store shows its rows, its metadata and its version")
  func inspect() throws {
    let store = try fixture.store()
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let run = Captured(["inspect", store, "--models", fixture.catalogue])
    #expect(run.code == 0)
    #expect(run.messages.isEmpty)
    for line in [
      "Core Data      framework version 1344 (iOS 17)", "UUID           5E1F0F3C-7B64-4E4B-9C55-0B6B3C1B7F10",
      "Model          “Notes” of family “Notes”", "Note         1     7            7",
      "Tag          2     1            1", "  Favourite  blue",
    ] { #expect(run.lines.contains(line), "\(line)\n\(run.output)") }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    #expect(try fixture.names() == ["Models", "Store.sqlite"])
  }

  @Test(
    "a long metadata value is cut on a terminal and whole in a pipe; the framework's own keys aren't shown"
  )
  func longMetadata() throws {
    let album = try AlbumFixture()
    let long = String(repeating: "0123456789", count: 30)
    try album.changeMetadata {
      $0["com.example.token"] = .string(long)
      $0["NSPersistenceMaximumFrameworkVersion"] = .integer(1344)
    }
    let pipe = Captured(["inspect", album.store])
    #expect(pipe.lines.contains("  com.example.token  \(long)"))
    #expect(!pipe.output.contains("NSPersistenceMaximumFrameworkVersion"))
    let terminal = Captured(["inspect", album.store], isTerminal: true, width: 80)
    let line = try #require(terminal.lines.first { $0.contains("com.example.token") })
    #expect(line.hasSuffix("…") && DisplayWidth.columns(of: line) == 80)
  }

  @Test("JSON has all keys, for any store")
  func json() throws {
    let run = Captured(["inspect", try fixture.store(notes: 0), "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "applicationMetadata", "bytes", "cloudKitTables", "entities", "externalData", "file", "framework",
        "frameworkSystem", "history", "historyTables", "joinTables", "journalMode", "logBytes", "model",
        "modelCache", "oddities", "otherTables", "path", "storeType", "uuid", "versionHashes",
        "versionIdentifiers", "warnings",
      ])
  }

  @Test("oddities are named: unknown tables, stray rows, missing external files, keys above Z_MAX")
  func oddities() throws {
    let store = try fixture.store()
    let database = try SQLiteDatabase(store, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE surplus (a); CREATE TABLE ANSCKEVENT (Z_PK INTEGER);
      INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (100, 77);
      ALTER TABLE ZTAG ADD COLUMN ZPICTURE BLOB;
      UPDATE ZTAG SET ZPICTURE = CAST(x'02' || '6F9619FF-8B86-D011-B42D-00CF4FC964FF' || x'00' AS BLOB)
      """)
    let run = Captured(["inspect", store])
    #expect(run.code == 0)
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for sentence in [
      "Core Data doesn't make these tables: surplus.", "mirrored by CloudKit (1 table ANSCK…)",
      "has 1 row of entity number 77, which does not belong there. With strayRows: \"quarantine\" in family.json5",
      "has the key 100, above the high-water mark 7",
      "The folder of external data is missing", "1 value in files; THE FOLDER IS MISSING",
    ] { #expect(text.contains(sentence), "\(sentence)\n\(text)") }
  }

  @Test("entities that are their own ancestors are reported and not followed forever")
  func cycle() throws {
    let store = try fixture.store()
    try SQLiteDatabase(store, mode: .readWrite).execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 - Z_ENT")
    let run = Captured(["inspect", store])
    #expect(run.code == 0)
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("their own ancestors or are nested too deep: “Note”, “Tag”."))
  }

  @Test("a hundred thousand nested entities don't crash inspect")
  func depth() throws {
    let store = try fixture.store()
    try SQLiteDatabase(store, mode: .readWrite).execute(
      """
      WITH n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, i - 1, 0 FROM n
      """)
    let run = Captured(["inspect", store])
    #expect(run.code == 0)
    #expect(run.output.contains("nested too deep"))
  }

  @Test("a file that isn't a store is refused with a sentence", arguments: fileCases)
  func badFiles(name: String, code: Int32, sentence: String) throws {
    let folder = fixture.folder
    try folder.write("", to: "empty")
    try folder.write("Dear diary", to: "text")
    try folder.write("<?xml version=\"1.0\"?><database/>", to: "xml")
    mkfifo(folder.path("fifo"), 0o600)
    symlink(folder.path("nowhere"), folder.path("dangling"))
    try SQLiteDatabase(folder.path("other"), mode: .create).execute("CREATE TABLE a (b)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: fixture.store()))
    try whole.prefix(whole.count / 2).write(to: folder.url.appendingPathComponent("half"))
    let run = Captured(["inspect", folder.path(name)])
    #expect(run.code == code, "\(run.messages)")
    #expect(run.output.isEmpty)
    #expect(run.messages.hasPrefix("decant: "))
    #expect(run.messages.contains(sentence), "\(run.messages)")
    #expect(run.messages.contains(folder.path(name)))
  }

  static let fileCases: [(String, Int32, String)] = [
    ("missing", 66, "There is no file"), ("dangling", 66, "There is no file"),
    ("text/below", 66, "There is no file"),
    ("Models", 65, "is a folder"), ("fifo", 65, "is not a regular file"), ("empty", 65, "is empty"),
    ("text", 65, "is not an SQLite database"), ("xml", 65, "“databaseInfo” is expected"),
    ("half", 65, "truncated"),
    ("other", 65, "not a Core Data store"),
  ]

  @Test(
    "a file that this user may not read exits with 77", .enabled(if: getuid() != 0, "root may read everything"))
  func permission() throws {
    let store = try fixture.store()
    chmod(store, 0)
    #expect(Captured(["inspect", store]).code == 77)
  }

  @Test(
    "genuine stores of every kind are shown",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"),
    arguments: SharedFixtures.manifest)
  func genuine(store: SharedFixtures.Store) throws {
    let path =
      store.kind == "SQLite" ? try SharedFixtures.copy(store, into: fixture.folder).path : store.storeURL.path
    let run = Captured(["inspect", path, "--json"])
    #expect(run.code == 0, "\(run.messages)")
    struct Shown: Decodable {
      struct Entity: Decodable {
        let name: String
        let rows: Int
      }
      let framework: Int?
      let entities: [Entity]
      let versionHashes: [String: String]?
      /// The join tables; `nil` for an XML store.
      let joinTables: [String: Int]?
    }
    let shown = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
    #expect(shown.framework == store.framework)
    #expect(shown.versionHashes?.count ?? 0 == store.hashes)
    let rows = Dictionary(shown.entities.map { ($0.name, $0.rows) }) { first, _ in first }
    for (entity, count) in store.rows { #expect(rows[entity] == count, "\(entity)") }
    #expect(shown.joinTables?.count ?? 0 == store.joins.count)
  }
}
