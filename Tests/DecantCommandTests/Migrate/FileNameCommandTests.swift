import CommandSupport
import DecantSQLite
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantCommand

/// Stores whose names have letters with two Unicode normal forms.
@Suite("Names in two normal forms, on the command line")
struct FileNameCommandTests {
  private let fixture: NotesFixture
  private let composed = "caf\u{E9}.sqlite"
  private let decomposed = "cafe\u{301}.sqlite"

  init() throws { fixture = try NotesFixture() }

  /// Makes a store in its own folder.
  ///
  /// Its newest object is in its -wal.
  private func storeWithLog(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("in"), withIntermediateDirectories: true)
    let made = try fixture.store("made.sqlite")
    let open = try SQLiteDatabase(made, mode: .readWrite)
    try open.execute("PRAGMA journal_mode=WAL")
    try open.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (99, 1, 1, 'newest')")
    let path = fixture.folder.path("in/" + name)
    for suffix in ["", "-wal"] {
      try Data(contentsOf: URL(fileURLWithPath: made + suffix)).write(to: URL(fileURLWithPath: path + suffix))
    }
    withExtendedLifetime(open) {}
    return path
  }

  private func carryOut(_ command: String) throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", command]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0, "\(command)")
  }

  @Test(
    "every command refuses a store whose -wal has the other normal form; both are named, the advice works")
  func log() throws {
    let store = try storeWithLog(composed)
    let stray = fixture.folder.path("in/" + decomposed + "-wal")
    #expect(rename(store + "-wal", stray) == 0)
    let output = fixture.folder.path("Out.sqlite")
    for arguments in [
      ["migrate", store, "--output", output, "--models", fixture.catalogue],
      ["migrate", store, "--output", output, "--models", fixture.catalogue, "--dry-run"],
      ["plan", store, "--models", fixture.catalogue], ["inspect", store],
      ["verify", store, store, "--models", fixture.catalogue], ["hash", store],
    ] {
      let run = Captured(arguments, width: 10_000)
      #expect(run.code == 65, "\(arguments[0]): \(run.messages)")
      #expect(run.messages.contains("“cafe\\xcc\\x81.sqlite-wal”"), "\(arguments[0]): \(run.messages)")
      #expect(run.messages.contains("“caf\\xc3\\xa9.sqlite-wal”"), "\(arguments[0]): \(run.messages)")
    }
    #expect(try fixture.names() == ["Models", "in", "made.sqlite"])
    let words = Captured(["inspect", store], width: 10_000).messages
    let start = try #require(words.range(of: "mv -n "))
    let command = words[start.lowerBound...].prefix { $0 != "\n" }
    try carryOut(String(command))
    #expect(Captured(["migrate", store, "--output", output, "--models", fixture.catalogue]).code == 0)
    let database = try SQLiteDatabase(output, mode: .immutable)
    #expect(try database.integer("SELECT count(*) FROM ZNOTE WHERE ZTEXT = 'newest'") == 1)
  }

  @Test("a -journal, a -shm and a folder of external data in the other normal form are refused, too")
  func others() throws {
    let store = try fixture.store(composed)
    for name in [decomposed + "-journal", decomposed + "-shm", ".cafe\u{301}_SUPPORT"] {
      let path = fixture.folder.path(name)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let run = Captured(["plan", store, "--models", fixture.catalogue, "--json"])
      #expect(run.code == 65, "\(run.messages)")
      #expect(run.output.contains("other-normal-form"), "\(run.output)")
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(Captured(["plan", store, "--models", fixture.catalogue]).code == 0)
  }

  @Test("two stores in one folder each have their own -wal")
  func pair() throws {
    for name in [composed, decomposed] {
      let store = try storeWithLog(name)
      try FileManager.default.removeItem(atPath: fixture.folder.path("made.sqlite"))
      let output = fixture.folder.path("Out-\(name.utf8.count).sqlite")
      let run = Captured(["migrate", store, "--output", output, "--models", fixture.catalogue])
      #expect(run.code == 0, "\(run.messages)")
      let database = try SQLiteDatabase(output, mode: .immutable)
      #expect(try database.integer("SELECT count(*) FROM ZNOTE WHERE ZTEXT = 'newest'") == 1)
    }
  }

  @Test(
    "the bytes of an output's name are those of the argument",
    arguments: [
      "cafe\u{301}.sqlite", "\u{301}x.sqlite", "x.\u{301}s", "\u{200D}x.sqlite", "x\u{600}", "\u{212A}.db",
    ])
  func outputs(name: String) throws {
    let store = try fixture.store()
    let output = fixture.folder.path("out/" + name)
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("out"), withIntermediateDirectories: true)
    let run = Captured(["migrate", store, "--output", output, "--models", fixture.catalogue])
    #expect(run.code == 0, "\(run.messages)")
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out"))
    #expect(names.map { FileName($0) } == [FileName(name)])
    #expect(Captured(["verify", store, output, "--models", fixture.catalogue, "--quiet"]).code == 0)
  }

  @Test("an output isn't made beside a -wal whose name looks like that of its own -wal")
  func outputBesideALog() throws {
    let store = try fixture.store()
    let stray = fixture.folder.path(decomposed + "-wal")
    try Data("x".utf8).write(to: URL(fileURLWithPath: stray))
    for more in [[], ["--force"]] {
      let run = Captured(
        ["migrate", store, "--output", fixture.folder.path(composed), "--models", fixture.catalogue] + more)
      #expect(run.code == 73, "\(run.messages)")
    }
    #expect(FileManager.default.fileExists(atPath: stray))
  }

  @Test("verify finds a text and a metadata value that differ only in the normal form")
  func verify() throws {
    let store = try fixture.store()
    let output = fixture.folder.path("Out.sqlite")
    try SQLiteDatabase(store, mode: .readWrite).execute("UPDATE ZNOTE SET ZTEXT = 'caf\u{E9}' WHERE Z_PK = 2")
    try #require(Captured(["migrate", store, "--output", output, "--models", fixture.catalogue]).code == 0)
    #expect(Captured(["verify", store, output, "--models", fixture.catalogue]).code == 0)
    try SQLiteDatabase(output, mode: .readWrite).execute(
      "UPDATE ZNOTE SET ZTEXT = 'cafe\u{301}' WHERE Z_PK = 2")
    let run = Captured(["verify", store, output, "--models", fixture.catalogue])
    #expect(run.code == 65 && run.output.contains("Note.text"), "\(run.output)")
  }
}

@Suite("Outputs that would be files of a store")
struct OutputClashTests {
  private let fixture: NotesFixture
  private let store: String

  init() throws {
    fixture = try NotesFixture()
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("in"), withIntermediateDirectories: true)
    store = try fixture.cachingStore("in/Store.sqlite")
    let links = URL(fileURLWithPath: fixture.folder.path("linked"))
    try FileManager.default.createSymbolicLink(
      at: links, withDestinationURL: fixture.folder.url.appending(path: "in"))
  }

  private func refused(_ arguments: [String], _ words: String, _ place: String = #function) throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.url.path).sorted()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    for more in [[], ["--force"]] {
      let run = Captured(arguments + more, width: 10_000)
      #expect(run.code == 64, "\(arguments): \(run.messages)")
      #expect(run.messages.contains(words), "\(arguments): \(run.messages)")
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.url.path).sorted() == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
  }

  @Test(
    "an output named as the source's -wal, -shm or -journal is refused, by any path",
    arguments: ["in/Store.sqlite", "in/./Store.sqlite", "in/../in//Store.sqlite", "linked/Store.sqlite"],
    ["-wal", "-shm", "-journal"])
  func siblings(path: String, suffix: String) throws {
    try refused(
      ["migrate", store, "--output", fixture.folder.path(path + suffix), "--models", fixture.catalogue],
      "is read as a part of the source")
    try refused(
      ["generate", store, "--rows", "3", "--output", fixture.folder.path(path + suffix)],
      "is read as a part of the source")
  }

  @Test(
    "an output is refused if the source has the name of its -wal, -shm or -journal",
    arguments: ["-wal", "-shm", "-journal"])
  func reverse(suffix: String) throws {
    let odd = try fixture.store("in/Other\(suffix)")
    try refused(
      ["migrate", odd, "--output", fixture.folder.path("linked/Other"), "--models", fixture.catalogue],
      "would be “Other\(suffix)” of the output")
  }

  @Test("an output that looks like the source's -wal, or is its folder of external data, is refused")
  func lookAlikes() throws {
    let source = try fixture.store("in/caf\u{E9}.sqlite")
    try refused(
      [
        "migrate", source, "--output", fixture.folder.path("in/cafe\u{301}.sqlite-wal"), "--models",
        fixture.catalogue,
      ],
      "is read as a part of the source")
    try refused(
      ["migrate", store, "--output", fixture.folder.path("in/.Store_SUPPORT"), "--models", fixture.catalogue],
      "is read as a part of the source")
    try refused(
      ["classes", store, "--output", fixture.folder.path("in/Store.sqlite-wal")],
      "is read as a part of the source")
  }

  @Test(
    "an output named as a file of another store in the folder is refused",
    arguments: ["Other.sqlite-wal", "Other.sqlite-shm", "Other.sqlite-journal", ".Other_SUPPORT"])
  func neighbours(name: String) throws {
    _ = try fixture.store("in/Other.sqlite")
    let output = fixture.folder.path("in/\(name)")
    let words = "would be “\(name)”, which is read as a part of “Other.sqlite”"
    try refused(["migrate", store, "--output", output, "--models", fixture.catalogue], words)
    try refused(["generate", fixture.bundle, "--rows", "3", "--output", output], words)
    try refused(["classes", fixture.bundle, "--output", output], words)
  }

  @Test(
    "an output is refused if another store has the name of its -wal, -shm or -journal",
    arguments: ["-wal", "-shm", "-journal"])
  func neighboursReverse(suffix: String) throws {
    _ = try fixture.store("in/Other\(suffix)")
    let output = fixture.folder.path("linked/Other")
    let words = "“Other\(suffix)” is a database, and would be read as a part of the output"
    try refused(["migrate", store, "--output", output, "--models", fixture.catalogue], words)
    try refused(["generate", fixture.bundle, "--rows", "3", "--output", output], words)
  }

  @Test("an output is refused if its name looks like that of another store's -wal")
  func neighboursLookAlike() throws {
    _ = try fixture.store("in/caf\u{E9}.sqlite")
    try refused(
      [
        "generate", fixture.bundle, "--rows", "3", "--output",
        fixture.folder.path("in/cafe\u{301}.sqlite-wal"),
      ], "is read as a part of")
  }

  @Test("a file with the name of the output's -wal is replaced with --force if it is no store")
  func neighboursThatAreNoStores() throws {
    try fixture.folder.write("no database", to: "Out.sqlite-wal")
    let arguments = [
      "generate", fixture.bundle, "--rows", "3", "--output", fixture.folder.path("Out.sqlite"),
    ]
    #expect(Captured(arguments).code == 73)
    #expect(Captured(arguments + ["--force"]).code == 0)
  }

  @Test("in another folder, an output may have the name of the source's -wal")
  func free() throws {
    let output = fixture.folder.path("Store.sqlite-wal")
    #expect(Captured(["migrate", store, "--output", output, "--models", fixture.catalogue]).code == 0)
  }
}
