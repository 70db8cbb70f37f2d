internal import DecantSQLite
internal import Foundation

extension StoreReader {
  /// The warning about a store in write-ahead mode without its log.
  ///
  /// A closed store has no log, so a missing log alone isn't an alarm. A `-shm` or a store without rows suggests that
  /// the log was forgotten. In that case, all changes that were only in the log are missing.
  func missingLog(isEmpty: Bool) -> String {
    if FileManager.default.fileExists(atPath: path + "-shm") {
      return
        "The store has a -shm, but its -wal is missing: the application had not closed the store, and its "
        + "last changes are probably missing."
    }
    if isEmpty {
      return "The store has no rows, and its -wal is missing: all its changes may be in that file."
    }
    return Self.closedWithoutLog
  }

  /// The note if nothing suggests a forgotten log.
  static let closedWithoutLog =
    "No -wal is beside the store; that is right if the application had closed the store."

  /// Whether no table of an entity has a row.
  func isEmpty(_ schema: SchemaEvidence, _ database: SQLiteDatabase) -> Bool {
    let tables = schema.tables.keys.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_") }
    return tables.allSatisfy { table in
      // If a table can't be read, the store doesn't count as empty, and a later read reports the error.
      (try? database.integer("SELECT EXISTS (SELECT 1 FROM \(quoted(table)))")) == 0
    }
  }
}
