internal import DecantSQLite
internal import Foundation

extension StoreReader {
  /// What to say about a store in write-ahead mode that came without its log.
  ///
  /// A closed store has none, so that this alone is no alarm; a `-shm` or a store without a row is a sign that the log
  /// was forgotten, and with it all that the application had not yet moved into the store.
  func missingLog(isEmpty: Bool) -> String {
    if FileManager.default.fileExists(atPath: path + "-shm") {
      return
        "A -shm came along, but not the -wal that belongs to it: the application had not closed the store, and its "
        + "last changes are probably missing."
    }
    if isEmpty {
      return "The store has no rows, and its -wal didn't come along: all its changes may be in that file."
    }
    return Self.closedWithoutLog
  }

  /// What is said where nothing speaks for a forgotten log.
  static let closedWithoutLog = "No -wal came along; that is right if the application had closed the store."

  /// Whether no table of an entity has a row.
  func isEmpty(_ schema: SchemaEvidence, _ database: SQLiteDatabase) -> Bool {
    let tables = schema.tables.keys.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_") }
    return tables.allSatisfy { table in
      // What can't be read is told by those who need it.
      (try? database.integer("SELECT EXISTS (SELECT 1 FROM \(quoted(table)))")) == 0
    }
  }
}
