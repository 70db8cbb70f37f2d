internal import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Copies a job's association file beside the output and completes the copy, before the store is delivered.
package struct AssociationDelivery {
  /// The job's file, in its work folder.
  ///
  /// The delivery doesn't change this file, so that a later run can copy it again.
  let path: String
  /// The file's final place.
  let place: String
  let steps: Int
  let uuid: String
  let store: String

  package init(path: String, place: String, steps: Int, uuid: String, store: String) {
    self.path = path
    self.place = place
    self.steps = steps
    self.uuid = uuid
    self.store = store
  }

  /// Puts the complete copy in place; the caller syncs the folder.
  package func run() throws {
    let copy = place + ".partial"
    for suffix in ["", "-journal"] { unlink(copy + suffix) }
    try FileCopy.copy(path, to: copy, keepsPermissions: true)
    do {
      let database = try SQLiteDatabase(copy, mode: .readWrite)
      // A killed run's copy is never continued: the next run makes another copy.
      try database.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
      try database.transaction { () throws(SQLiteError) in
        try WholeWay(database: database, steps: steps).write()
        let insert = try database.prepare("INSERT OR REPLACE INTO file VALUES (?, ?)")
        try insert.run([.text("format"), .integer(Int64(KeptAssociations.format))])
        try insert.run([.text("store_uuid"), .text(uuid)])
        try insert.run([.text("store"), .text(store)])
        try insert.run([.text("decant_version"), .text(DecantVersion.current)])
        try database.execute("DROP TABLE IF EXISTS work")
      }
    }
    try FileCopy.sync(copy)
    guard rename(copy, place) == 0 else { throw FileCopy.failure(place, "put into place") }
  }
}
