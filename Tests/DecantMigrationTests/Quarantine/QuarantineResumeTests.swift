import DecantStore
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport

@Suite("Quarantine: chunks, stops, kills and files") struct QuarantineResumeTests {
  private static let versions = [
    """
    Box
      name String?
      notes ->> Note.box ordered
    Note
      text String?
      data Binary? external
      kind String?
      box -> Box.notes
      tags ->> Tag.notes ordered
      next -> Note.previous
      previous -> Note.next
    Tag
      notes ->> Note.tags ordered
    """,
    """
    Box
      name String max 2
      number Int64? derived 'notes.@count'
      notes ->> Note.box ordered
    Note
      text String? max 3
      data Binary? external
      box -> Box.notes required
      tags ->> Tag.notes ordered
      next -> Note.previous
      previous -> Note.next
      kinds ->> Kind.notes
      unique text
    Kind
      name String? max 2
      notes ->> Note.kinds ordered required least 1
    Tag
      notes ->> Note.tags ordered least 2
    """,
  ]
  private static let files = ["A", "B"].map { "01234567-89AB-CDEF-0123-45678\($0)ABCDEF" }

  static func workshop() throws -> Workshop {
    let shop = try Workshop(versions)
    try shop.map(
      "Step",
      """
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind", attributes: { name: "$source.kind" } },
      { source: "Note", destination: "Note", filter: "text != 'no'",
        relationships: { kinds: { path: "$source", mapping: "Kinds" } } },
      { source: "Box", destination: "Box" }, { source: "Tag", destination: "Tag" },
      """, further: "validation: \"quarantine\",")
    let values = files.map { name in "x'02" + name.utf8.map { String($0, radix: 16) }.joined() + "00'" }
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND, ZBOX, Z_FOK_BOX, ZNEXT, ZDATA) SELECT i, 2, 1,
          CASE i % 7 WHEN 0 THEN 'no' WHEN 1 THEN 'long one' ELSE 't' || (i % 20) END,
          nullif('k' || substr('abcdefgh', 1, i % 4), 'k'), i % 5 + 1, 9000 - i, iif(i % 3 = 0, i - 1, NULL),
          CASE i WHEN 1 THEN \(values[0]) WHEN 2 THEN \(values[1]) WHEN 3 THEN x'01AA' END FROM n;
      UPDATE ZNOTE SET ZPREVIOUS = (SELECT Z_PK FROM ZNOTE AS o WHERE o.ZNEXT = ZNOTE.Z_PK);
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'long'), (3, 1, 1, 'y'), (4, 1, 1, NULL),
        (5, 1, 1, 'z');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1), (3, 3, 1), (4, 3, 1);
      INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS, Z_FOK_2NOTES, Z_FOK_3TAGS)
        SELECT n.Z_PK, t.Z_PK, 2048 + 1024 * n.Z_PK, 9000 - t.Z_PK FROM ZNOTE AS n, ZTAG AS t
        WHERE n.Z_PK % (t.Z_PK * 2) = 1;
      """)
    for name in files { try shop.folder.write("of \(name)", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(name)") }
    return shop
  }

  /// Everything that a run delivers: rows of both stores, and the bytes of the list and of external files.
  static func picture(_ shop: Workshop) throws -> [String] {
    var picture: [String] = []
    for name in ["Store", "Store.quarantine"] {
      let url = shop.output.deletingLastPathComponent().appendingPathComponent(name + ".sqlite")
      let store = try shop.read(url, "V2")
      #expect(store.faults == [], "\(name)")
      for table in store.layout.tables.map(\.name) + store.layout.joinTables.map(\.name) + ["Z_PRIMARYKEY"] {
        picture += try store.store.rows("SELECT * FROM \"\(table)\" ORDER BY 1, 2").map {
          "\(name) \(table): " + $0.map(LogicalStore.text).joined(separator: " ")
        }
      }
      picture.append("\(name) \(store.metadata.uuid)")
    }
    let folder = shop.output.deletingLastPathComponent()
    for (name, bytes) in try FolderPicture(folder).files.sorted(by: { $0.key < $1.key })
    where !name.hasSuffix(".sqlite") {
      picture.append("\(name): \(String(decoding: bytes, as: UTF8.self))")
    }
    return picture
  }

  @Test func nothingIsLostBetweenTheStores() throws {
    let shop = try Self.workshop()
    let (result, aside) = try shop.putAside()
    #expect(
      result.fullAccounts == [
        "Kinds 24 = 6 + 6 + 12", "NoteToNote 24 = 9 + 3 + 12", "BoxToBox 5 = 3 + 0 + 2",
        "TagToTag 4 = 3 + 0 + 1",
      ])
    #expect(result.store.objects.count + aside.store.objects.count > 20)
    #expect(Set(result.lines.map { $0.prefix(8) }).isDisjoint(with: Set(aside.lines.map { $0.prefix(8) })))
  }

  @Test func externalFilesOfWhatIsPutAsideGoAlong() throws {
    let shop = try Self.workshop()
    let (_, aside) = try shop.putAside()
    let folder = shop.folder.path("out/.Store.quarantine_SUPPORT/_EXTERNAL_DATA")
    let names = aside.store.objects.values.compactMap { object -> String? in
      guard case .blob(let data)? = object.attributes["data"], data.first == 2 else { return nil }
      return String(decoding: data.dropFirst().prefix(36), as: UTF8.self)
    }
    #expect(names.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == names)
    let delivered = shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: delivered).sorted() == Self.files)
  }

  @Test func everyChunkSizePutsTheSameAside() throws {
    let whole = try Self.workshop()
    let report = try whole.migrate().report
    let expected = try Self.picture(whole)
    for size in [1, 2, 7] {
      let shop = try Self.workshop()
      let result = try shop.migrate(chunkSize: size)
      #expect(try Self.picture(shop) == expected, "chunks of \(size)")
      #expect(result.report.warnings == report.warnings)
      #expect(result.report.steps.last?.quarantine == report.steps.last?.quarantine)
    }
  }

  @Test func aRunStoppedAnywhereGoesOnToTheSameStores() throws {
    let whole = try Self.workshop()
    let counter = Stopper(after: .max)
    let report = try Migration.run(whole.job(chunkSize: 9), shouldStop: counter.shouldStop)
    let expected = try Self.picture(whole)
    for limit in stride(from: counter.calls - 1, to: 0, by: -2) {
      let shop = try Self.workshop()
      let stopper = Stopper(after: limit)
      let failure = #expect(throws: MigrationFailure.self) {
        try Migration.run(shop.job(chunkSize: 9), shouldStop: stopper.shouldStop)
      }
      #expect(failure?.reason == .stopped, "after \(limit)")
      let result = try shop.migrate(chunkSize: 9)
      #expect(try Self.picture(shop) == expected, "after \(limit)")
      #expect(result.report.warnings == report.warnings, "after \(limit)")
      #expect(result.report.steps.last?.quarantine == report.steps.last?.quarantine)
      #expect(result.report.steps.last?.entities == report.steps.last?.entities)
    }
  }

  /// The built command, in the folder of the test bundle.
  private static let command: URL? = {
    let folder = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    return folder.map { $0.deletingLastPathComponent().appendingPathComponent("decant") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }()

  @Test(.enabled(if: command != nil, "the command “decant” is not built"))
  func aKilledCommandEndsWithTheSameStores() throws {
    let whole = try Self.workshop()
    _ = try whole.migrate(chunkSize: 1)
    let expected = try Self.picture(whole)
    let command = try #require(Self.command)
    var kills = 0
    for delay in stride(from: 0.05, to: 0.6, by: 0.05) {
      let shop = try Self.workshop()
      try FileManager.default.createDirectory(
        at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
      func start() throws -> Process {
        let process = Process()
        process.executableURL = command
        process.arguments = [
          "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
          "--chunk-size", "1", "--quiet",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
          $1
        }
        try process.run()
        return process
      }
      let first = try start()
      Thread.sleep(forTimeInterval: delay)
      kill(first.processIdentifier, SIGKILL)
      first.waitUntilExit()
      if first.terminationReason == .uncaughtSignal {
        kills += 1
        if !FileManager.default.fileExists(atPath: shop.output.path) {
          let second = try start()
          second.waitUntilExit()
          #expect(second.terminationStatus == 0, "after \(delay) s")
        } else {
          try? FileManager.default.removeItem(atPath: shop.output.path + ".decant")
        }
      }
      let found = try Self.picture(shop)
      #expect(
        found == expected, "after \(delay) s: \(Set(found).symmetricDifference(expected).sorted())")
    }
    #expect(kills > 0)
  }
}
