package import DecantModel
import DecantSQLite
import DecantStore
package import DecantTestSupport
package import Foundation
import KeyedArchive

/// A catalogue with three versions of a notes model, and stores of these versions.
package struct NotesFixture {
  package let folder: TemporaryFolder
  /// The folder that holds one folder for each family.
  package var catalogue: String { folder.path("Models") }
  package var bundle: String { folder.path("Models/Notes/Notes.xcdatamodeld") }

  /// Writes the catalogue; version “Notes 3” is current.
  ///
  /// - Parameter place: Where the folder is made; the folder for temporary files by default.
  package init(in place: URL? = nil) throws {
    folder = try TemporaryFolder("decant-command", in: place)
    for (name, attributes) in Self.versions {
      try folder.write(
        Self.contents(attributes), to: "Models/Notes/Notes.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Notes 3.xcdatamodel</string></dict></plist>
      """, to: "Models/Notes/Notes.xcdatamodeld/.xccurrentversion")
  }

  /// The first version has `date` and `mood`.
  ///
  /// The second renames `date` to `moment`. The third has `stars` in place of `mood`.
  package static let versions = [
    ("Notes", #"<attribute name="date" optional="YES" attributeType="Date"/>"# + mood),
    ("Notes 2", moment + mood),
    ("Notes 3", moment + #"<attribute name="stars" attributeType="Integer 16" defaultValueString="3"/>"#),
  ]
  private static let mood = #"<attribute name="mood" optional="YES" attributeType="String"/>"#
  private static let moment =
    #"<attribute name="moment" optional="YES" attributeType="Date" elementID="date"/>"#

  package static func contents(_ attributes: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note">
        <attribute name="text" optional="YES" attributeType="String"/>\(attributes)
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify"
          destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
      </entity>
      <entity name="Tag">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify"
          destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
      </entity>
    </model>
    """
  }

  /// Waits for four seconds, so that the next change of a catalogue file gives it another modification time.
  package func settle() { sleep(4) }

  package func model(_ version: String = "Notes") throws -> ManagedObjectModel {
    try ModelBundle.read(at: URL(fileURLWithPath: bundle)).version(named: version).model
  }

  /// Writes a store of a version; a third of its notes have no mood.
  @discardableResult
  package func store(_ name: String = "Store.sqlite", version: String = "Notes", notes: Int = 7) throws
    -> String
  {
    let path = folder.path(name)
    let model = try model(version)
    let layout = try StoreLayout(model, framework: .current)
    let store = try DestinationStore(at: path, layout: layout)
    let columns = Set(layout.tables.first { $0.rootEntity == "Note" }?.columns.map(\.name) ?? [])
    let database = store.database
    try database.execute("BEGIN")
    let insert = try database.prepare("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (?, 1, 1, ?)")
    for key in 0..<max(0, notes) {
      try insert.run([.integer(Int64(key + 1)), .text("Note \(key + 1)")])
    }
    if columns.contains("ZMOOD") {
      try database.execute("UPDATE ZNOTE SET ZMOOD = 'fine' WHERE Z_PK % 3 <> 0")
    }
    try database.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'first')")
    if notes > 0, let join = layout.joinTables.first {
      try database.execute(
        "INSERT INTO \(join.name) (\(join.first.column), \(join.second.column)) VALUES (1, 1)")
    }
    try database.execute("COMMIT")
    for index in try store.missingIndexes() { try database.execute(index) }
    let metadata = StoreMetadata(
      uuid: "5E1F0F3C-7B64-4E4B-9C55-0B6B3C1B7F10", entries: ["Favourite": .string("blue")])
    try store.finish(
      metadata: metadata.updated(for: model, framework: .current), maxima: [:], usesWriteAheadLog: false)
    return path
  }

  /// Writes a store of a version.
  ///
  /// Its model cache holds the version's model, or `cache` if that is given.
  @discardableResult
  package func cachingStore(
    _ name: String = "Store.sqlite", version: String = "Notes", cache: Data? = nil, notes: Int = 7
  ) throws -> String {
    let path = try store(name, version: version, notes: notes)
    let content = try cache ?? DeflateWriter.stored(CompiledModelWriter.data(try model(version)))
    try SQLiteDatabase(path, mode: .readWrite).execute(
      "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(CachingStore.blob(content)))")
    return path
  }

  /// Writes a model for which Decant's rules don't give the name of a join table: a subentity repeats a relationship of
  /// its parent.
  ///
  /// - Returns: The path of the `.xcdatamodel`.
  package func unsettledModel() throws -> String {
    let repeated = """
      <entity name="Below" parentEntity="Tag"><relationship name="notes" optional="YES" toMany="YES"
        deletionRule="Nullify" destinationEntity="Note" inverseName="tags" inverseEntity="Note"/></entity>
      <entity name="Tag">
      """
    let model = NotesFixture.contents("").replacing(#"<entity name="Tag">"#, with: repeated)
    return try folder.write(model, to: "Odd.xcdatamodel/contents").deletingLastPathComponent().path
  }

  /// All names in the fixture's folder.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }
}
