internal import CSQLite

/// Where SQLite puts the temporary files of sorting and indexing, for the whole process.
///
/// SQLite reads its environment once, before any job is known; this changes the folder under SQLite's own lock.
package enum SQLiteTemporaries {
  /// From now on they go into that folder; where it is gone SQLite takes one of its own choice.
  package static func put(into folder: String) {
    decant_sqlite3_put_temporaries(folder)
  }

  /// Gives the folder up, unless another one was named meanwhile.
  package static func leave(_ folder: String) {
    decant_sqlite3_leave_temporaries(folder)
  }
}
