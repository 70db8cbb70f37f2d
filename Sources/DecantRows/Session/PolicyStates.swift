internal import DecantSQLite
internal import Foundation

/// The saved states of resumable policies, by mapping; they are committed with their chunks.
package struct PolicyStates {
  static let table = "Z_DECANT_STATES"
  package static let workTables = [table: "CREATE TABLE \(table) (mapping INTEGER PRIMARY KEY, state BLOB)"]

  private let database: SQLiteDatabase

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  func state(of mapping: Int) throws(SQLiteError) -> Data? {
    let rows = try database.rows(
      "SELECT state FROM main.\(Self.table) WHERE mapping = ?", [.integer(Int64(mapping))])
    if case .blob(let data)? = rows.first?.first { return data }
    return nil
  }

  func write(_ state: Data, of mapping: Int) throws(SQLiteError) {
    try database.prepare("INSERT OR REPLACE INTO main.\(Self.table) (mapping, state) VALUES (?, ?)")
      .run([.integer(Int64(mapping)), .blob(state)])
  }
}
