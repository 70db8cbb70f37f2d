import CommandSupport
import DecantMigration
import DecantReport
import DecantSQLite
import DecantStore
import Foundation
import Testing

@testable import DecantCommand

/// A store with rows of no entity: `inspect`, `plan`, `migrate` and `verify`.
@Suite("Rows of no entity, on the command line") struct StrayRowCommandTests {
  let fixture: NotesFixture
  let store: String
  var output: String { fixture.folder.path("Out.sqlite") }
  private static let own = ["Out.quarantine-source.json", "Out.quarantine-source.sqlite", "Out.sqlite"]

  init() throws {
    fixture = try NotesFixture()
    store = try fixture.store()
    try SQLiteDatabase(store, mode: .readWrite).execute(
      "UPDATE ZNOTE SET Z_ENT = 77 WHERE Z_PK IN (2, 3); UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 1")
    try fixture.folder.write("{ strayRows: \"quarantine\" }", to: "Models/Notes/family.json5")
  }

  private func run(_ arguments: String...) -> Captured { Captured(arguments, width: 10_000) }
  private func migrate(_ more: String...) -> Captured {
    Captured(["migrate", store, "--output", output, "--models", fixture.catalogue] + more, width: 10_000)
  }

  @Test("inspect and the refusal name the setting “strayRows”") func refused() throws {
    try fixture.folder.write("{}", to: "Models/Notes/family.json5")
    let inspected = run("inspect", store, "--models", fixture.catalogue, "--json")
    for words in [
      "2 rows of entity number 77", "1 row without an entity number (Z_ENT)", "strayRows: \\\"quarantine\\\"",
    ] {
      #expect(inspected.output.contains(words), "\(words)\n\(inspected.output)")
    }
    let refused = migrate("--quiet")
    #expect(refused.code == 65 && refused.messages.contains("strayRows: \"quarantine\""), "\(refused.messages)")
    #expect(try fixture.names() == ["Models", "Store.sqlite"])
    let misspelt = run("check", fixture.catalogue)
    #expect(misspelt.code == 0, "\(misspelt.output)")
    try fixture.folder.write("{ strayRows: \"report\" }", to: "Models/Notes/family.json5")
    let checked = run("check", fixture.catalogue)
    #expect(
      checked.code == 78 && checked.output.contains("“strayRows” must be one of: “refuse”,"),
      "\(checked)")
  }

  @Test("plan announces the quarantine, migrate makes it, also with --strict, and verify accepts it")
  func through() throws {
    let planned = run("plan", store, "--models", fixture.catalogue)
    #expect(planned.code == 0, "\(planned.messages)")
    #expect(
      planned.output.contains("Table ZNOTE has 2 rows that belong to none of its entities"), "\(planned.output)"
    )
    let json = try JSONDecoder().decode(
      MigrationPlan.self, from: Data(run("plan", store, "--models", fixture.catalogue, "--json").output.utf8))
    #expect(json.strayRows?.tables.map(\.rows) == [2, 1])
    // The attributes that “Notes 3” drops are losses; the stray rows aren't.
    try fixture.folder.write(
      "{ strayRows: \"quarantine\", acceptedLosses: [\"Note.mood\"] }", to: "Models/Notes/family.json5")
    let migrated = migrate("--strict", "--quiet")
    #expect(migrated.code == 0, "\(migrated.messages)")
    #expect(
      migrated.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "3 rows that belong to no entity are in quarantine: Out.quarantine-source.sqlite; Out.quarantine-source.json says why."
      ),
      "\(migrated.output)")
    #expect(try fixture.names() == (["Models", "Store.sqlite"] + Self.own).sorted())
    let verified = run("verify", store, output, "--models", fixture.catalogue)
    #expect(verified.code == 0, "\(verified.output)\(verified.messages)")
    #expect(verified.output.contains("2 rows of table “ZNOTE” that are objects of no entity."))
    let side = fixture.folder.path("Out.quarantine-source.sqlite")
    let inspected = run("inspect", side, "--models", fixture.catalogue)
    #expect(inspected.code == 0 && inspected.output.contains("“Notes” of family “Notes”"), "\(inspected)")
    try FileManager.default.removeItem(atPath: side)
    let missed = run("verify", store, output, "--models", fixture.catalogue, "--quiet", "--json")
    #expect(missed.code == 65 && missed.output.contains("missing-quarantine"), "\(missed.output)")
  }

  @Test("--force removes only the files of the old quarantine") func forced() throws {
    #expect(migrate("--quiet").code == 0)
    try fixture.folder.write("old", to: ".Out.quarantine-source_SUPPORT/_EXTERNAL_DATA/A")
    try fixture.folder.write("old", to: "Out.quarantine-source.sqlite-wal")
    let others = [
      "Out.quarantine-source-1.sqlite", "Out.quarantine-sources.json", "Out.quarantine-source.txt",
      "Output.quarantine-source.sqlite",
    ]
    for name in others { try fixture.folder.write("another's", to: name) }
    #expect(migrate("--quiet").code == 73)
    try SQLiteDatabase(store, mode: .readWrite).execute(
      "UPDATE ZNOTE SET Z_ENT = 1; UPDATE ZTAG SET Z_ENT = 2")
    #expect(migrate("--force", "--quiet").code == 0)
    #expect(try fixture.names() == (["Models", "Out.sqlite", "Store.sqlite"] + others).sorted())
  }

  @Test("an existing file of a quarantine is kept without --force") func taken() throws {
    try fixture.folder.write("somebody's", to: "Out.quarantine-source.json")
    let refused = migrate("--quiet")
    #expect(refused.code == 73 && refused.messages.contains("Out.quarantine-source.json exists already"))
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(migrate("--force", "--quiet").code == 0)
    #expect(try fixture.names() == (["Models", "Store.sqlite"] + Self.own).sorted())
  }

  @Test("a store at its target is copied with stray rows; --rewrite puts them into quarantine")
  func current() throws {
    let current = try fixture.store("Current.sqlite", version: "Notes 3")
    try SQLiteDatabase(current, mode: .readWrite).execute("UPDATE ZNOTE SET Z_ENT = 77 WHERE Z_PK = 2")
    let arguments = ["migrate", current, "--output", output, "--models", fixture.catalogue, "--quiet"]
    let copied = Captured(arguments, width: 10_000)
    #expect(copied.code == 0 && copied.output.contains("it stays in the store."), "\(copied)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: current)) == Data(contentsOf: URL(fileURLWithPath: output)))
    let verified = run("verify", current, output, "--models", fixture.catalogue, "--quiet")
    #expect(verified.code == 0, "\(verified.output)")
    #expect(Captured(arguments + ["--rewrite", "--force"]).code == 0)
    #expect(try fixture.names() == (["Current.sqlite", "Models", "Store.sqlite"] + Self.own).sorted())
    let again = run("verify", current, output, "--models", fixture.catalogue, "--quiet")
    #expect(again.code == 0, "\(again.output)")
  }

  @Test("stores with names in two normal forms each have a quarantine") func names() throws {
    for name in ["caf\u{E9}", "cafe\u{301}"] {
      try FileManager.default.createDirectory(
        atPath: fixture.folder.path("out"), withIntermediateDirectories: true)
      let migrated = Captured([
        "migrate", store, "--output", fixture.folder.path("out") + "/\(name).sqlite", "--models",
        fixture.catalogue,
        "--quiet",
      ])
      #expect(migrated.code == 0, "\(migrated.messages)")
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out"))
    #expect(found.count == 6, "\(found)")
    for name in found where name.hasSuffix(".quarantine-source.sqlite") {
      let rows = try SQLiteDatabase(fixture.folder.path("out") + "/" + name, mode: .immutable).integer(
        "SELECT count(*) FROM ZNOTE")
      #expect(rows == 2, "\(name)")
    }
  }
}
