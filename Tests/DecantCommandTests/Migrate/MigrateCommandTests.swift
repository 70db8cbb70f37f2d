import CommandSupport
import DecantMigration
import DecantReport
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole

@Suite("plan and migrate")
struct MigrateCommandTests {
  let fixture: NotesFixture
  let store: String
  var output: String { fixture.folder.path("Out.sqlite") }

  init() throws {
    fixture = try NotesFixture()
    store = try fixture.store()
  }

  private func migrate(_ more: String..., from source: String? = nil, to path: String? = nil) -> Captured {
    Captured(["migrate", source ?? store, "--output", path ?? output, "--models", fixture.catalogue] + more)
  }

  @Test("exit codes for an output that can't be made: 73 for an impossible path, 77 for access, 74 for space")
  func noPlace() {
    for code in [ENOENT, ENOTDIR, ENAMETOOLONG, EINVAL] {
      #expect(CommandFailure(errno: code, "/proc/New.decant", "made").exitCode == 73)
    }
    #expect(CommandFailure(errno: EACCES, "/proc/New.decant", "made").exitCode == 77)
    #expect(CommandFailure(errno: ENOSPC, "/proc/New.decant", "made").exitCode == 74)
  }

  @Test("a store is migrated, the report goes to standard output, and nothing else is left")
  func migrates() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let run = migrate()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.hasPrefix("decant: Migrating Store.sqlite.\n"))
    #expect(run.output.contains("“Notes” to “Notes 3”"))
    #expect(run.output.contains("\n  Written as a new file.\n"))
    #expect(run.output.contains("  Entity mapping  Source  Made\n  NoteToNote           7     7\n"))
    #expect(run.output.contains("attribute  Note.mood  5  values"))
    #expect(try fixture.names() == ["Models", "Out.sqlite", "Store.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    let inspected = Captured(["inspect", output, "--models", fixture.catalogue]).output
    #expect(inspected.contains("“Notes 3” of family “Notes”"))
    #expect(inspected.contains("Favourite  blue"))
  }

  @Test("the JSON report is the report of the library")
  func json() throws {
    let run = migrate("--json", "--quiet", "--to", "Notes 2", "--chunk-size", "2")
    #expect(run.code == 0)
    #expect(run.messages.isEmpty)
    let report = try JSONDecoder().decode(MigrationReport.self, from: Data(run.output.utf8))
    for (files, path) in [(report.source, store), (report.destination, output)] {
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      #expect(files?.sha256.count == 64 && files?.bytes == size)
    }
    #expect(report.begun != nil && report.ended != nil)
    #expect(report.drop == nil && report.job == nil && report.claimed == nil)
    #expect(report.result == .migrated)
    #expect(report.targetVersion == "Notes 2")
  }

  @Test("a store that has the target version is copied byte by byte, unless --rewrite is given")
  func alreadyCurrent() throws {
    let current = try fixture.store("Current.db", version: "Notes 3")
    try fixture.folder.write("picture", to: ".Current_SUPPORT/_EXTERNAL_DATA/A")
    let run = migrate(from: current)
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.contains("has version “Notes 3” of family “Notes” already; copied unchanged."))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: output)) == Data(contentsOf: URL(fileURLWithPath: current)))
    #expect(
      try String(contentsOfFile: fixture.folder.path(".Out_SUPPORT/_EXTERNAL_DATA/A"), encoding: .utf8)
        == "picture")
    let rewritten = migrate("--rewrite", "--json", from: current, to: fixture.folder.path("Again.db"))
    #expect(rewritten.output.contains(#""result": "migrated""#))
  }

  @Test("an existing output is kept without --force; --force replaces it and its other files")
  func force() throws {
    try fixture.folder.write("precious", to: "Out.sqlite")
    try fixture.folder.write("stale", to: "Out.sqlite-wal")
    let refused = migrate()
    #expect(refused.code == 73)
    #expect(refused.messages.contains("Out.sqlite exists already. Name another file, or use --force"))
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "precious")
    #expect(migrate("--force").code == 0)
    #expect(try fixture.names() == ["Models", "Out.sqlite", "Store.sqlite"])
    try FileManager.default.removeItem(atPath: output)
    try fixture.folder.write("stale", to: "Out.sqlite-wal")
    #expect(migrate().code == 73)
  }

  @Test(
    "the source is never accepted as the output, under any name",
    arguments: ["Store.sqlite", "hard", "soft", "Store.sqlite-wal"])
  func source(name: String) throws {
    link(store, fixture.folder.path("hard"))
    symlink(store, fixture.folder.path("soft"))
    try fixture.folder.write("", to: "Store.sqlite-wal")
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let run = migrate("--force", to: fixture.folder.path(name))
    #expect(run.code == 64, "\(run.messages)")
    #expect(run.messages.contains("name another file"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }

  @Test(
    "a store that an ended run had finished is put into place by the next run, not made again")
  func finishedBefore() throws {
    try fixture.folder.write("picture", to: ".Store_SUPPORT/_EXTERNAL_DATA/A")
    let source = StoreFiles(store)
    do {
      let folder = try WorkFolder(
        output + ".decant", source: source,
        arguments: [URL(fileURLWithPath: fixture.catalogue).resolvingSymlinksInPath().path, "", "", ""])
      let result = StoreFiles(folder.result + "/Out.sqlite")
      let job = MigrationJob(
        source: URL(fileURLWithPath: store), output: URL(fileURLWithPath: result.store),
        workFolder: URL(fileURLWithPath: folder.work), catalogue: URL(fileURLWithPath: fixture.catalogue))
      var report = try Migration.run(job)
      report.warnings = ["kept by the first run"]
      try folder.finish(result, report: JSONEncoder().encode(report))
      // The run ended while it put the store into place.
      #expect(rename(result.supportFolder, fixture.folder.path(".Out_SUPPORT")) == 0)
    }
    let run = migrate()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.hasPrefix("decant: The last run has finished Store.sqlite; putting it into place.\n"))
    #expect(run.output.contains("kept by the first run"))
    #expect(StoreFiles.exists(fixture.folder.path(".Out_SUPPORT/_EXTERNAL_DATA/A")))
    #expect(try fixture.names() == [".Out_SUPPORT", ".Store_SUPPORT", "Models", "Out.sqlite", "Store.sqlite"])
  }

  @Test("if the new store can't be put into place, the files that --force replaces are put back")
  func forceThatFails() throws {
    for name in ["Out.sqlite-wal", ".Out_SUPPORT/_EXTERNAL_DATA/B"] {
      try fixture.folder.write("old", to: name)
    }
    let place = try OutputPlace(output, sources: [store], overwrites: true)
    let folder = try WorkFolder(output + ".decant", source: StoreFiles(store), arguments: [])
    try fixture.folder.write("new", to: "Out.sqlite.decant/result/.Out_SUPPORT/_EXTERNAL_DATA/A")
    let result = StoreFiles(folder.result + "/Out.sqlite")
    #expect(throws: CommandFailure.self) { try place.install(result, from: folder) }
    for name in ["Out.sqlite-wal", ".Out_SUPPORT/_EXTERNAL_DATA/B"] {
      #expect(StoreFiles.exists(fixture.folder.path(name)), "\(name)")
    }
    try fixture.folder.write("new", to: "Out.sqlite.decant/result/Out.sqlite")
    try place.install(result, from: folder)
    #expect(!StoreFiles.exists(fixture.folder.path("Out.sqlite-wal")))
    #expect(StoreFiles.exists(fixture.folder.path(".Out_SUPPORT/_EXTERNAL_DATA/A")))
    #expect(!StoreFiles.exists(fixture.folder.path(".Out_SUPPORT/_EXTERNAL_DATA/B")))
    folder.remove()
    #expect(!StoreFiles.exists(folder.path))
  }

  @Test("a store behind a symbolic link has the -wal and the external data beside the file itself")
  func linkedStore() throws {
    let real = fixture.folder.path("real")
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    let database = try SQLiteDatabase(store, mode: .readWrite)
    _ = try database.rows("PRAGMA journal_mode=WAL")
    try database.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9, 2, 1, 'in the log')")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store + suffix, toPath: "\(real)/Real.sqlite\(suffix)")
    }
    try fixture.folder.write("picture", to: "real/.Real_SUPPORT/_EXTERNAL_DATA/A")
    symlink("real/Real.sqlite", fixture.folder.path("Link.sqlite"))
    let run = migrate(from: fixture.folder.path("Link.sqlite"))
    #expect(run.code == 0, "\(run.messages)")
    let result = try SQLiteDatabase(output, mode: .immutable)
    #expect(try result.integer("SELECT count(*) FROM ZTAG WHERE ZNAME = 'in the log'") == 1)
    #expect(StoreFiles.exists(fixture.folder.path(".Out_SUPPORT/_EXTERNAL_DATA/A")))
    let link = fixture.folder.path("Link.sqlite")
    #expect(Captured(["verify", link, output, "--models", fixture.catalogue, "--quiet"]).code == 0)
    for command in ["inspect", "plan"] {
      #expect(Captured([command, link, "--models", fixture.catalogue]).code == 0)
    }
  }

  @Test("an output that would share the source's external data is refused")
  func sharedSupport() throws {
    try fixture.folder.write("picture", to: ".Store_SUPPORT/_EXTERNAL_DATA/A")
    let run = migrate(to: fixture.folder.path("Store.db"))
    #expect(run.code == 64)
    #expect(run.messages.contains(".Store_SUPPORT"))
  }

  @Test("wrong arguments have their exit codes", arguments: cases)
  func wrong(arguments: String, code: Int32, sentence: String) throws {
    let words = arguments.split(separator: " ").map { word in
      word.hasPrefix("@") ? "\(fixture.folder.url.path)/\(word.dropFirst())" : String(word)
    }
    let run = Captured(words)
    #expect(run.code == code, "\(run.messages)")
    #expect(run.output.isEmpty)
    #expect(run.messages.contains(sentence), "\(run.messages)")
    #expect(try fixture.names() == ["Models", "Store.sqlite"])
  }

  static let cases: [(String, Int32, String)] = [
    ("migrate @Nowhere --output @O --models @Models", 66, "There is no file"),
    ("migrate @Models --output @O --models @Models", 65, "is a folder"),
    ("migrate @Store.sqlite --output @O --models @Nowhere", 66, "There is no catalogue"),
    ("migrate @Store.sqlite --output @O --models @Store.sqlite", 66, "is not a folder"),
    ("migrate @Store.sqlite --output @O --models @Models --to Nothing", 64, "has no version “Nothing”"),
    ("migrate @Store.sqlite --output @O --models @Models --family Nothing", 64, "no family “Nothing”"),
    ("migrate @Store.sqlite --output @No/O --models @Models", 73, "there is no folder"),
    ("migrate @Store.sqlite --output @Store.sqlite/O --models @Models", 73, "Store.sqlite isn't a folder"),
    ("migrate @Store.sqlite --output @Models --models @Models", 73, "exists already and is not a file"),
    ("migrate @Store.sqlite --output @Models/ --models @Models", 73, "names a folder"),
    ("migrate @Store.sqlite --output - --models @Models", 64, "can't be written to standard output"),
    (
      "migrate @Store.sqlite --output @O --models @Models --chunk-size 0", 64,
      "whole number from 1 to 100000000"
    ),
    ("plan @Nowhere --models @Models", 66, "There is no file"),
    ("plan @Store.sqlite --models @Models --to Nothing", 64, "has no version “Nothing”"),
    ("plan @Store.sqlite --models @Nowhere", 66, "There is no catalogue"),
  ]

  @Test("an unknown version exits with 65 and a message with the nearest version, a broken catalogue with 78")
  func unknown() throws {
    let path = fixture.bundle + "/Notes.xcdatamodel/contents"
    let contents = try String(contentsOfFile: path, encoding: .utf8)
    try contents.replacing("mood", with: "temper").write(toFile: path, atomically: true, encoding: .utf8)
    let run = migrate()
    #expect(run.code == 65)
    #expect(run.messages.contains("The nearest is version"))
    #expect(try fixture.names() == ["Models", "Store.sqlite"])
    try "<model".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(migrate().code == 78)
    #expect(try fixture.names() == ["Models", "Store.sqlite"])
  }

  @Test("plan shows version, steps, rows and losses, and writes nothing")
  func plan() throws {
    for arguments in [
      ["plan", store, "--models", fixture.catalogue],
      ["migrate", store, "--output", output, "--models", fixture.catalogue, "--dry-run"],
    ] {
      let run = Captured(arguments)
      #expect(run.code == 0, "\(run.messages)")
      for line in [
        "Version  “Notes”", "Target   “Notes 3” in 1 step", "  NoteToNote      transform     7",
        "  attribute  Note.mood  5  values",
      ] { #expect(run.lines.contains(line), "\(line)\n\(run.output)") }
      #expect(try fixture.names() == ["Models", "Store.sqlite"])
    }
    let json = Captured(["plan", store, "--models", fixture.catalogue, "--json"])
    #expect(json.output.contains(#""targetVersion": "Notes 3""#))
  }
}
