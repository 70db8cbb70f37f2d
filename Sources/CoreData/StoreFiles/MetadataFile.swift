internal import DecantSQLite
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

enum MetadataFile {
  /// The metadata; nothing is written beside the store.
  ///
  /// - Parameter type: The expected type; nil accepts every type.
  static func read(_ place: StorePlace, type: String?) throws(CoreDataError) -> [String: Any] {
    try CoreDataError.of(place.path) {
      let scratch = try PrivateFolder()
      let store = try SourceStore.open(place.path, scratch: scratch.path("copy"), checksPages: false)
      if let type { try StoreTypeCheck.run(store, type) }
      return MetadataDictionary.make(store.metadata, type: store.kind.name)
    }
  }

  /// Writes the application's metadata into the store, in one transaction of SQLite.
  ///
  /// - Throws: `CoreDataError`. Then the store is unchanged, except if the metadata were written and only the log
  ///   couldn't be emptied.
  static func write(_ dictionary: [String: Any], _ place: StorePlace, type: String) throws(CoreDataError) {
    try CoreDataError.of(place.path) {
      let scratch = try PrivateFolder()
      // This also checks the log or journal, which SQLite applies before it writes.
      let store = try SourceStore.open(place.path, scratch: scratch.path("copy"))
      try StoreTypeCheck.run(store, type)
      guard store.kind == .sqlite else {
        throw CoreDataError(
          NSPersistentStoreInvalidTypeError,
          "\(place.path) is an XML store, whose metadata can't be changed. Migrate it to an SQLite store first."
        )
      }
      let metadata = try MetadataDictionary.applying(dictionary, to: store.metadata)
      guard metadata != store.metadata else { return }
      try update(place, to: metadata)
    }
  }

  private static func update(_ place: StorePlace, to metadata: StoreMetadata) throws {
    let database = try SQLiteDatabase(place.path, mode: .readWrite)
    try database.execute("PRAGMA synchronous=FULL")
    try database.transaction { () throws(SQLiteError) in
      try database.prepare("UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?")
        .run([.text(metadata.uuid), .blob(PropertyListWriting.data(metadata.entries))])
    }
    // This moves the log's content into the file, unless another program is reading the store.
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
