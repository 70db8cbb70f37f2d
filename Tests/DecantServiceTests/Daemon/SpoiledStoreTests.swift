import DecantMigration
import DecantModel
import DecantSQLite
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// Stores that the test damages, with the built daemon and its worker.
@Suite("Damaged stores through the real daemon")
struct SpoiledStoreTests {
  /// The damages, and the reasons in `reason.json`.
  private static let spoiled: [(name: String, reason: String, statement: String)] = [
    ("plain.sqlite", "not-core-data", "DROP TABLE Z_METADATA"),
    ("list.sqlite", "damaged-metadata", "UPDATE Z_METADATA SET Z_PLIST = x'62706c697374303001'"),
    ("tables.sqlite", "unknown-tables", "CREATE TABLE NOTES_OF_MINE (a)"),
    ("cloud.sqlite", "cloudkit", "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)"),
    ("version.sqlite", "tables-of-another-version", "ALTER TABLE ZNOTA DROP COLUMN ZTEXTO"),
  ]

  @Test("each damaged store goes to failed with reason, bytes and -wal, and a later valid store to done")
  func spoiledStores() throws {
    let daemon = try RealDaemon { folder in
      try folder.write(
        DaemonFixture.model, to: "catalogue/Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
    }
    let folder = daemon.folder
    let model = try ModelContentsReader.read(Data(DaemonFixture.model.utf8)).model
    let other = try ManagedObjectModel(entities: [
      Entity(name: "Nota", attributes: [Attribute(name: "otro", type: .string, isOptional: true)])
    ])
    var dropped: [String: [String: Data]] = [:]
    func drop(_ name: String, of model: ManagedObjectModel, _ spoil: (String) throws -> Void) throws {
      try folder.makeFolder("spool/incoming/.\(name)")
      let path = folder.path("spool/incoming/.\(name)/\(name)")
      _ = try SyntheticStore.write(model: model, rows: 200, to: path)
      try spoil(path)
      for file in try folder.names("spool/incoming/.\(name)") {
        let url = URL(fileURLWithPath: folder.path("spool/incoming/.\(name)/\(file)"))
        dropped[name, default: [:]][file] = try Data(contentsOf: url)
      }
      try folder.rename("spool/incoming/.\(name)", to: "spool/incoming/drop of \(name)")
    }
    for (name, _, statement) in Self.spoiled {
      try drop(name, of: model) { path in
        let database = try SQLiteDatabase(path, mode: .readWrite)
        try database.execute("PRAGMA journal_mode = DELETE")
        try database.execute(statement)
      }
    }
    try drop("cut.sqlite", of: model) { path in
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    }
    // These tables exceed the limits of a connection, but nothing reads them.
    let tooMuch = [
      "wide.sqlite": "CREATE TABLE ZMUCH (\((0..<2_100).map { "c\($0)" }.joined(separator: ", ")))",
      "deep.sqlite": "CREATE TABLE ZMUCH (a CHECK (\(String(repeating: "1 + ", count: 1_100))1))",
      "long.sqlite": "CREATE TABLE ZMUCH (a CHECK (max(\(String(repeating: "1, ", count: 200))1)))",
    ]
    for (name, table) in tooMuch {
      try drop(name, of: model) { path in
        let database = try SQLiteDatabase(path, mode: .readWrite)
        database.allowSchemaWrites(true)
        try database.execute(
          "PRAGMA journal_mode = DELETE; CREATE TABLE ZMUCH (a); PRAGMA writable_schema = ON")
        _ = try database.rows("UPDATE sqlite_master SET sql = ? WHERE name = 'ZMUCH'", [.text(table)])
      }
    }
    try drop("log.sqlite", of: model) { path in
      try Data(repeating: 0x37, count: 4096).write(to: URL(fileURLWithPath: path + "-wal"))
    }
    try drop("hashes.sqlite", of: other) { _ in }
    try drop("sound.sqlite", of: model) { _ in }
    #expect(daemon.eventually { daemon.isThrough })
    var found: [String: RefusalReason] = [:]
    for job in try folder.names("spool/failed") {
      let reason = try JSONDecoder().decode(
        RefusalReason.self, from: Data(folder.text("spool/failed/\(job)/reason.json").utf8))
      let name = (reason.file as NSString).lastPathComponent
      found[name] = reason
      let original = (reason.file as NSString).deletingLastPathComponent
      for (file, content) in dropped[name] ?? [:] {
        let kept = URL(fileURLWithPath: folder.path("spool/failed/\(job)/\(original)/\(file)"))
        #expect(try Data(contentsOf: kept) == content, "\(file)")
      }
    }
    let words =
      Self.spoiled.map { ($0.name, $0.reason) } + tooMuch.keys.map { ($0, "damaged") } + [
        ("cut.sqlite", "truncated"), ("log.sqlite", "foreign-wal"), ("hashes.sqlite", "unknown-version"),
      ]
    for (name, reason) in words {
      #expect(found[name]?.reason.word == reason, "\(name): \(String(describing: found[name]))")
    }
    #expect(found.count == words.count)
    for (name, words) in [("wide", "too many columns"), ("deep", "too large"), ("long", "too many arguments")] {
      let message = found["\(name).sqlite"]?.message ?? ""
      #expect(message.contains(words) && message.contains("ZMUCH"), "\(message)")
    }
    let message = found["hashes.sqlite"]?.message ?? ""
    #expect(message.contains("“Notas”") && message.contains("changed: “Nota”"), "\(message)")
    #expect(try folder.names("spool/done") == ["drop of sound.sqlite"])
    #expect(daemon.isRunning)
    #expect(daemon.stop() == 0)
  }
}
