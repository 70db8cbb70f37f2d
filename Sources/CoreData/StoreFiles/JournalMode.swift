internal import DecantSQLite
internal import DecantStore
internal import Foundation

enum JournalMode {
  /// Changes a store from WAL mode to the journal mode `DELETE`: SQLite writes the content of the `-wal` into the file,
  /// and removes the `-wal`.
  ///
  /// If the process is killed, nothing is lost. An XML store, and a store that isn't in WAL mode, stay as they are.
  static func endLog(of place: StorePlace) throws(CoreDataError) {
    try CoreDataError.of(place.path) {
      guard try !StoreFileHeader.isXML(place.path) else { return }
      let scratch = try PrivateFolder()
      // This also checks the log, which SQLite then applies.
      let store = try SourceStore(
        place.path, scratch: scratch.path("copy"), checksPages: false, needsVersionHashes: false)
      guard store.usesWriteAheadLog else { return }
      let database = try SQLiteDatabase(place.path, mode: .readWrite)
      _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      let mode = try database.rows("PRAGMA journal_mode=DELETE").first?.first
      guard mode == .text("delete") else {
        throw CoreDataError(
          NSPersistentStoreOpenError,
          "The journal mode of \(place.path) can't be changed: another program has the store open. Close it there."
        )
      }
    }
  }
}
