import CommandSupport
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// A catalogue of one family, and a store for tests that damage it.
///
/// The store has references, pairs and external data.
struct AlbumFixture {
  let folder: TemporaryFolder
  var catalogue: String { folder.path("Models") }
  var model: String { folder.path("Models/Album/Album.xcdatamodeld/Album.xcdatamodel") }
  /// The store, in a folder that has no other files.
  var store: String { folder.path("in/Store.sqlite") }
  var external: String { folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA") }

  static let contents = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Photo">
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="taken" optional="YES" attributeType="Date"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="place" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Place"
          inverseName="photos" inverseEntity="Place"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"
          inverseName="photos" inverseEntity="Tag"/>
      </entity>
      <entity name="Place">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="photos" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Photo"
          inverseName="place" inverseEntity="Photo"/>
      </entity>
      <entity name="Tag">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="photos" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Photo"
          inverseName="tags" inverseEntity="Photo"/>
      </entity>
    </model>
    """

  /// - Parameter usesWriteAheadLog: Whether the store's header says that it uses a `-wal`.
  init(usesWriteAheadLog: Bool = false) throws {
    folder = try TemporaryFolder("decant-album")
    try folder.write(Self.contents, to: "Models/Album/Album.xcdatamodeld/Album.xcdatamodel/contents")
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    let made = Captured(["generate", model, "--rows", "45", "--output", store, "--quiet"])
    try #require(made.code == 0, "\(made.messages)")
    if !usesWriteAheadLog { try change("PRAGMA journal_mode=DELETE") }
  }

  func change(_ sql: String) throws { try SQLiteDatabase(store, mode: .readWrite).execute(sql) }

  /// Replaces a table by a table with another statement and the same rows.
  func replace(_ table: String, with statement: String, columns: String) throws {
    try change(
      """
      PRAGMA legacy_alter_table=ON; ALTER TABLE \(table) RENAME TO former; \(statement);
      INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM former; DROP TABLE former
      """)
  }

  /// The bytes of every file in the store's folder and below.
  func picture() throws -> [String: Data] {
    var picture: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("in")) {
      picture[name] = FileManager.default.contents(atPath: folder.path("in/\(name)")) ?? Data()
    }
    return picture
  }

  /// The results of the commands for the store.
  struct Answers {
    var oddities: [String: String] = [:]
    /// The reason of the failure of inspect; `nil` if inspect succeeded.
    var inspectReason: String?
    var planReason: String?
    var migrateReason: String?
    /// The notes of inspect about the `-wal`.
    var inspectNotes: [String] = []
    var planWarnings: [String] = []
    var planNotes: [String] = []
    var migrateNotes: [String] = []
    var codes: [Int32] = []
  }

  /// Runs inspect, plan and migrate, and verify if there is a result.
  ///
  /// Checks that the store doesn't change.
  ///
  /// - Parameter verifies: Whether the migrated store must equal the source.
  func ask(verifies: Bool = true) throws -> Answers {
    let before = try picture()
    let output = folder.path("out/New.sqlite")
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    var answers = Answers()
    let inspect = Captured(["inspect", store, "--models", catalogue, "--json"])
    let inspected = try Self.decoded(inspect)
    answers.inspectReason = inspected.error?.reason
    for oddity in inspected.oddities ?? [] {
      if oddity.kind == "log", oddity.severity == "note" {
        answers.inspectNotes.append(oddity.message)
      } else {
        answers.oddities[oddity.kind, default: ""] += oddity.message
      }
    }
    let plan = Captured(["plan", store, "--models", catalogue, "--json"])
    let planned = try Self.decoded(plan)
    answers.planReason = planned.error?.reason
    answers.planWarnings = planned.warnings ?? []
    answers.planNotes = planned.notes ?? []
    let migrate = Captured([
      "migrate", store, "--models", catalogue, "--output", output, "--rewrite", "--json", "--quiet",
    ])
    let migrated = try Self.decoded(migrate)
    answers.migrateReason = migrated.error?.reason
    answers.migrateNotes = migrated.notes ?? []
    answers.codes = [inspect.code, plan.code, migrate.code]
    if migrate.code == 0, verifies {
      let verify = Captured(["verify", store, output, "--models", catalogue, "--quiet"])
      #expect(verify.code == 0, "\(verify.output)\(verify.messages)")
    } else if migrate.code != 0 {
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    #expect(try picture() == before, "something of the store has changed")
    return answers
  }

  private struct Shown: Decodable {
    struct Failure: Decodable { let reason: String }
    struct Shown: Decodable {
      let kind: String
      let severity: String
      let message: String
    }
    let error: Failure?
    let oddities: [Shown]?
    let warnings: [String]?
    let notes: [String]?
  }

  private static func decoded(_ run: Captured) throws -> Shown {
    let shown = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
    #expect((shown.error == nil) == (run.code == 0), "\(run.messages)")
    #expect((run.code == 0) == run.messages.isEmpty, "\(run.messages)")
    return shown
  }
}
