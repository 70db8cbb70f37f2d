internal import CSQLite

/// The folder for SQLite's temporary files of sorting and indexing, for the whole process.
///
/// SQLite reads its environment once, before any job is known. This type changes the folder under SQLite's own lock.
package enum SQLiteTemporaries {
  /// Sets the folder; if it disappears, SQLite chooses another folder.
  package static func put(into folder: String) {
    decant_sqlite3_put_temporaries(folder)
  }

  /// Unsets the folder, unless another folder was set meanwhile.
  package static func leave(_ folder: String) {
    decant_sqlite3_leave_temporaries(folder)
  }
}
