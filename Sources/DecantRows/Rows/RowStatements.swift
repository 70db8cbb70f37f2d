package import DecantSQLite

/// Prepared statements by their text, for statements that run once for each row.
package final class RowStatements {
  private let database: SQLiteDatabase
  private var prepared: [String: SQLiteStatement] = [:]

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  private func statement(_ text: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = prepared[text] { return known }
    let statement = try database.prepare(text)
    prepared[text] = statement
    return statement
  }

  /// The error for rows of the working file that Decant can't have written.
  func damage(_ message: String) -> SQLiteError { .damage(message, path: database.path) }

  package func run(_ text: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    try statement(text).run(values)
  }

  /// All rows of a statement; they must be few.
  func rows(_ text: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try statement(text)
    statement.reset()
    defer { statement.reset() }
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    var rows: [[SQLiteValue]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
    return rows
  }

  package func first(_ text: String, _ values: [SQLiteValue]) throws(SQLiteError) -> SQLiteValue? {
    try rows(text, values).first?.first
  }
}
