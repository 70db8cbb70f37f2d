import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

/// A small store of notes in its own folder, for tests that damage it.
struct SampleStore {
  let folder: TemporaryFolder
  let path: String

  static let uuid = "0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D"

  /// The entities Folder (number 1), Note (2) and Tag (3): notes are in folders, and notes have tags.
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Entity(
        name: "Folder", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "notes", destinationEntityName: "Note", inverseName: "folder", isOrdered: true,
            maximumCount: 0)
        ]),
      Entity(
        name: "Note",
        attributes: [
          Attribute(name: "text", type: .string, isOptional: true), Attribute(name: "at", type: .date),
          Attribute(name: "data", type: .binary, isOptional: true),
        ],
        relationships: [
          Relationship(name: "folder", destinationEntityName: "Folder", inverseName: "notes", isOptional: true),
          Relationship(name: "tags", destinationEntityName: "Tag", inverseName: "notes", maximumCount: 0),
        ]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "label", type: .string)],
        relationships: [
          Relationship(name: "notes", destinationEntityName: "Note", inverseName: "tags", maximumCount: 0)
        ]),
    ])
  }

  static func metadata(uuid: String = uuid) throws -> StoreMetadata {
    StoreMetadata(uuid: uuid, entries: ["AppKey": .string("kept")]).updated(
      for: try model(), framework: .current)
  }

  /// Writes a valid store with that many notes.
  init(notes: Int = 120, uuid: String = uuid, usesWriteAheadLog: Bool = false) throws {
    folder = try TemporaryFolder("decant-sample")
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    path = folder.path("in/Store.sqlite")
    let store = try DestinationStore(at: path, layout: StoreLayout(Self.model(), framework: .current))
    try store.database.execute(
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (1, 3, 1, 'a'), (2, 3, 1, 'b'), (3, 3, 1, 'ñ');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(notes))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, Z_FOK_FOLDER, ZAT, ZTEXT, ZDATA)
      SELECT i, 2, 1, i % 2 + 1, 1024 * i, 1.5 * i, 'note ' || i || ' ' || hex(zeroblob(60)), x'0102' FROM n;
      INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS) SELECT Z_PK, Z_PK % 3 + 1 FROM ZNOTE;
      """)
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    try store.finish(metadata: Self.metadata(uuid: uuid), maxima: [:], usesWriteAheadLog: usesWriteAheadLog)
  }

  var bytes: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: path)) }
  }

  func write(_ data: Data, to suffix: String = "") throws {
    try data.write(to: URL(fileURLWithPath: path + suffix))
  }

  /// Changes the store by a `RawSQLite` connection with a writable schema.
  func change(_ sql: String) throws {
    try RawSQLite(path).execute("PRAGMA writable_schema=ON; \(sql)")
  }

  /// Opens the store, checks its tables against the model, reads every row, and checks that no file in its folder
  /// changed.
  @discardableResult
  func open(seconds: Double? = nil, acceptsCloudKit: Bool = false) throws -> SourceStore {
    let before = try FilePicture(folder.path("in"))
    defer {
      #expect((try? FilePicture(folder.path("in"))) == before, "something in the store's folder changed")
    }
    let store = try SourceStore(path, scratch: folder.path("scratch"), seconds: seconds)
    let layout = try store.layout(for: Self.model(), version: "Notes", acceptsCloudKit: acceptsCloudKit)
    for table in layout.tables.map(\.name) + layout.joinTables.map(\.name) {
      _ = try store.rows("SELECT * FROM \(quoted(table))")
    }
    return store
  }

  /// The error with which the store is refused; `nil` if the store can be opened.
  func refusal(seconds: Double? = nil) -> StoreError? {
    do {
      try open(seconds: seconds)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  func count(_ table: String, in store: SourceStore) throws -> Int {
    try store.database.integer("SELECT count(*) FROM \(quoted(table))")
  }
}

/// Names, kinds and bytes of everything in a folder.
struct FilePicture: Equatable {
  private let entries: [String: Data]

  init(_ folder: String) throws {
    var entries: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      var status = stat()
      let isRead = lstat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      // A store with 4 GB of zeros need not be read.
      entries[name] =
        isRead && status.st_size < 1 << 28
        ? FileManager.default.contents(atPath: "\(folder)/\(name)") : Data("\(status.st_mode)".utf8)
    }
    self.entries = entries
  }
}
