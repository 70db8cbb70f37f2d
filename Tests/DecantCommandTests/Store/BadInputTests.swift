import CommandSupport
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantCommand

/// Hostile content of a store or a model, through the commands.
@Suite("Bad input: archives, model caches, external data, -wal files, versions")
struct BadInputTests {
  /// Archives that aren't those of a model, with names of their faults.
  static let archives: [(name: String, data: @Sendable () -> Data)] = [
    ("a cycle", { HostileArchives.cycle() }), ("a million entries", { HostileArchives.million() }),
    ("wrong types", { HostileArchives.wrongTypes() }), ("huge integers", { HostileArchives.hugeIntegers() }),
    ("a class that doesn't belong", { HostileArchives.foreignClass() }),
    ("inheritance in a circle", { HostileArchives.circle() }),
    ("no archive", { Data("bplist00".utf8) }),
  ]

  @Test(
    "a model cache with a bad archive is reported; the catalogue's model migrates the store",
    arguments: archives.map(\.name))
  func caches(name: String) throws {
    let archive = try #require(Self.archives.first { $0.name == name }).data()
    let fixture = try AlbumFixture()
    try fixture.setCache(DeflateWriter.stored(archive))
    let answers = try fixture.ask()
    #expect(Set(answers.oddities.keys) == ["unreadable-cache"], "\(answers.oddities)")
    #expect(answers.codes == [0, 0, 0])
  }

  @Test("a model cache is reported that isn't a deflate stream, is a bomb, is cut off, or has several rows")
  func strangeCaches() throws {
    let bomb = DeflateWriter.zeros(count: 300 << 20)
    #expect(bomb.count < 3 << 20)
    let fixture = try AlbumFixture()
    for (cache, words) in [
      (Data("not deflate".utf8), "isn't a deflate stream"), (bomb, "inflates to more than 32 MB"),
      (Data(DeflateWriter.stored(Data(count: 100)).dropLast(50)), "ends too early"), (Data(), "it is empty"),
    ] {
      try fixture.setCache(cache)
      let answers = try fixture.ask()
      #expect(answers.oddities["unreadable-cache"]?.contains(words) == true, "\(answers.oddities)")
      #expect(answers.codes == [0, 0, 0])
      try FileManager.default.removeItem(atPath: fixture.folder.path("out"))
    }
    try fixture.change("UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'; INSERT INTO Z_MODELCACHE VALUES (x'00')")
    #expect(try fixture.ask().oddities["unreadable-cache"]?.contains("several rows") == true)
  }

  @Test("a model cache that doesn't fit the version hashes is reported, entity by entity")
  func cacheOfAnotherVersion() throws {
    let fixture = try AlbumFixture()
    let other = try ManagedObjectModel(entities: [
      Entity(name: "Photo", attributes: [Attribute(name: "other", type: .string)])
    ])
    try fixture.setCache(DeflateWriter.stored(CompiledModelWriter.data(other, as: .cacheWithCopies)))
    let answers = try fixture.ask()
    #expect(answers.oddities["cache-of-another-version"]?.contains("differ: Photo, Place, Tag.") == true)
    #expect(answers.codes == [0, 0, 0])
  }

  @Test(
    "with a bad archive as a compiled model, the family is broken, and every command says so",
    arguments: archives.map(\.name))
  func models(name: String) throws {
    let archive = try #require(Self.archives.first { $0.name == name }).data()
    let fixture = try AlbumFixture()
    try fixture.folder.write("", to: "Other/Album/Album.mom")
    let file = fixture.folder.path("Other/Album/Album.mom")
    try archive.write(to: URL(fileURLWithPath: file))
    let commands = [
      ["hash", file], ["schema", file], ["diff", file, fixture.model], ["infer", fixture.model, file],
    ]
    // Reading a million entries takes a while, so only one command does it.
    for command in commands.prefix(name.hasPrefix("a million") ? 1 : 4) {
      let run = Captured(command)
      #expect(run.code == 65, "\(command): \(run.messages)")
      #expect(run.messages.contains("Album.mom"), "\(run.messages)")
    }
    let catalogue = fixture.folder.path("Other")
    #expect(Captured(["inspect", fixture.store, "--models", catalogue]).code == 0)
    for command in [["plan"], ["migrate", "--output", fixture.folder.path("New.sqlite")]] {
      let run = Captured(command + [fixture.store, "--models", catalogue])
      #expect(run.code == 78, "\(command): \(run.messages)")
      #expect(run.messages.contains("Album"), "\(run.messages)")
    }
  }

  /// Texts of 36 characters that stand in place of a file's name.
  static let names = [
    "../../../../../../../../../etc/passwd", "/etc/passwd/////////////////////////",
    "....................................", "{6F9619FF-8B86-D011-B42D-00CF4FC964}",
    "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
    "6F9619FF-8B86-D011-B42D-00CF4FC964F/",
  ]

  @Test("a path in place of a file's name is never followed", arguments: names)
  func externalNames(name: String) throws {
    #expect(name.utf8.count == 36 || name.utf8.count == 37)
    let fixture = try AlbumFixture()
    let value = Data([2]) + Data(name.utf8.prefix(36)) + Data([0])
    try fixture.change("UPDATE ZPHOTO SET ZDATA = \(CachingStore.blob(value)) WHERE Z_PK = 1")
    let answers = try fixture.ask()
    #expect(Set(answers.oddities.keys) == ["external-data-malformed"], "\(answers.oddities)")
    #expect(answers.codes == [0, 0, 0])
    let told = answers.oddities["external-data-malformed"] ?? ""
    #expect(told.contains("“Photo.data” (key 1)"), "\(told)")
    #expect(
      answers.planWarnings.contains { $0.contains("1 value of “Photo.data” names no proper file (key 1)") },
      "\(answers.planWarnings)")
  }

  @Test("external data: a file that is missing, too short, a link or a folder; a folder that is a link")
  func externalFiles() throws {
    let uuid = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
    func ask(
      verifies: Bool = true, _ prepare: (AlbumFixture) throws -> Void
    ) throws -> AlbumFixture.Answers {
      let fixture = try AlbumFixture()
      let value = Data([2]) + Data(uuid.utf8) + Data([0])
      try fixture.change("UPDATE ZPHOTO SET ZDATA = \(CachingStore.blob(value)) WHERE Z_PK = 1")
      try FileManager.default.createDirectory(atPath: fixture.external, withIntermediateDirectories: true)
      try prepare(fixture)
      return try fixture.ask(verifies: verifies)
    }
    let missing = try ask { _ in }
    #expect(Set(missing.oddities.keys) == ["external-data-missing"])
    #expect(missing.planWarnings.contains { $0.contains("MISSING") }, "\(missing.planWarnings)")
    let link = try ask { symlink("/etc/hostname", $0.external + "/\(uuid)") }
    #expect(Set(link.oddities.keys) == ["external-data-irregular"])
    let inner = try ask { mkdir($0.external + "/\(uuid)", 0o755) }
    #expect(Set(inner.oddities.keys) == ["external-data-irregular"])
    let short = try ask { try $0.change("UPDATE ZPHOTO SET ZDATA = x'02414243' WHERE Z_PK = 1") }
    #expect(Set(short.oddities.keys) == ["external-data-malformed"])
    // The files behind the link aren't copied, and the plan says so.
    let elsewhere = try ask(verifies: false) {
      try FileManager.default.moveItem(
        atPath: $0.folder.path("in/.Store_SUPPORT"), toPath: $0.folder.path("Elsewhere"))
      symlink($0.folder.path("Elsewhere"), $0.folder.path("in/.Store_SUPPORT"))
    }
    #expect(Set(elsewhere.oddities.keys) == ["external-data-irregular"])
    #expect(elsewhere.planWarnings.contains { $0.contains("MISSING") }, "\(elsewhere.planWarnings)")
    for answers in [missing, link, inner, short, elsewhere] { #expect(answers.codes == [0, 0, 0]) }
  }

  @Test("a -wal that is of another store, has other data, is a link, or is missing beside a -shm")
  func logs() throws {
    func ask(_ prepare: (AlbumFixture) throws -> Void) throws -> AlbumFixture.Answers {
      let fixture = try AlbumFixture(usesWriteAheadLog: true)
      try prepare(fixture)
      return try fixture.ask()
    }
    let foreign = try ask { fixture in
      // A -wal exists while a connection is open.
      let other = try AlbumFixture(usesWriteAheadLog: true)
      let database = try SQLiteDatabase(other.store, mode: .readWrite)
      try database.execute(
        "UPDATE Z_METADATA SET Z_UUID = '0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D'; UPDATE ZPHOTO SET ZTITLE = 'x'")
      try FileManager.default.copyItem(atPath: other.store + "-wal", toPath: fixture.store + "-wal")
    }
    let rubbish = try ask {
      try Data(repeating: 0x41, count: 9000).write(to: URL(fileURLWithPath: $0.store + "-wal"))
    }
    let link = try ask { symlink("/etc/hostname", $0.store + "-wal") }
    for answers in [foreign, rubbish, link] {
      #expect(
        [answers.inspectReason, answers.planReason, answers.migrateReason] == [
          "foreign-wal", "foreign-wal", "foreign-wal",
        ])
      #expect(answers.codes == [65, 65, 65])
    }
    let forgotten = try ask { try Data(count: 32_768).write(to: URL(fileURLWithPath: $0.store + "-shm")) }
    #expect(forgotten.oddities["log"]?.contains("last changes are probably missing") == true)
    #expect(forgotten.codes == [0, 0, 0])
    let closed = try ask { _ in }
    #expect(closed.oddities.isEmpty, "\(closed.oddities)")
    #expect(closed.planWarnings == [])
    #expect(closed.planNotes == [])
    #expect(
      closed.migrateNotes.first?.contains("No -wal is beside the store") == true, "\(closed.migrateNotes)")
    #expect(
      closed.inspectNotes == [
        "No -wal is beside the store; that is right if the application had closed the store."
      ])
    let empty = try ask {
      try $0.change("DELETE FROM ZPHOTO; DELETE FROM ZPLACE; DELETE FROM ZTAG; DELETE FROM Z_1TAGS")
    }
    #expect(empty.oddities["log"]?.contains("The store has no rows") == true)
  }

  @Test("if a -wal is given as the store, the message says so and names the store")
  func logAsStore() throws {
    let fixture = try AlbumFixture()
    let log = fixture.store + "-wal"
    try Data([0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 0, count: 40)).write(to: URL(fileURLWithPath: log))
    for words in [["inspect", log], ["plan", log, "--models", fixture.catalogue]] {
      let run = Captured(words)
      #expect(run.code == 65)
      #expect(run.messages.contains("\(log) is a write-ahead log, not a store. Name \(fixture.store)."))
    }
    // A store may have such a name itself.
    try FileManager.default.removeItem(atPath: log)
    try FileManager.default.moveItem(atPath: fixture.store, toPath: log)
    #expect(Captured(["inspect", log]).code == 0)
  }

  @Test("metadata that state one version while the tables are of another")
  func claims() throws {
    let fixture = try AlbumFixture()
    let newer = AlbumFixture.contents.replacing(
      #"<entity name="Tag">"#,
      with: #"<entity name="Tag"><attribute name="colour" optional="YES" attributeType="String"/>"#)
    try fixture.folder.write(newer, to: "Models/Album/Album.xcdatamodeld/Album 2.xcdatamodel/contents")
    try fixture.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Album 2.xcdatamodel</string></dict></plist>
      """, to: "Models/Album/Album.xcdatamodeld/.xccurrentversion")
    let hashes = try ModelBundle.read(
      at: URL(fileURLWithPath: fixture.folder.path("Models/Album/Album.xcdatamodeld"))
    )
    .version(named: "Album 2").model.entityVersionHashes
    try fixture.changeMetadata {
      $0["NSStoreModelVersionHashes"] = .dictionary(hashes.mapValues { .data($0.data) })
    }
    let answers = try fixture.ask()
    #expect(answers.oddities["tables-of-another-version"]?.contains("column ZTAG.ZCOLOUR is missing") == true)
    #expect(answers.planReason == "tables-of-another-version")
    #expect(answers.codes == [0, 65, 65])
  }

  @Test("a database in UTF-16 is refused, and the encoding is named")
  func otherEncoding() throws {
    let fixture = try AlbumFixture()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.store))
    var spoiled = bytes
    spoiled[59] = 2
    try spoiled.write(to: URL(fileURLWithPath: fixture.store))
    let answers = try fixture.ask()
    #expect(
      [answers.inspectReason, answers.planReason, answers.migrateReason] == [
        "not-core-data", "not-core-data", "not-core-data",
      ])
    #expect(Captured(["inspect", fixture.store]).messages.contains("no text in UTF-8"))
  }
}
