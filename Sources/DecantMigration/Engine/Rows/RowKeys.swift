internal import DecantStore

/// Gives out the primary keys of new rows, above every key that is kept (DESIGN 3.5, “Keys”).
final class RowKeys {
  private let database: SQLiteDatabase
  /// The next key of each family that has given one out since the last `write()`.
  private var next: [Int: Int64] = [:]

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// The next key of a family, by its root's entity number.
  ///
  /// - Throws: `NewKey.Exhausted`, `SQLiteError`.
  func take(_ root: Int) throws -> Int64 {
    let value: SQLiteValue?
    if let known = next[root] {
      value = .integer(known)
    } else {
      value = try database.rows(
        "SELECT next FROM main.\(Associations.keys) WHERE root = ?", [.integer(Int64(root))]
      ).first?.first
    }
    let key = try NewKey.checked(value)
    next[root] = key + 1
    return key
  }

  /// Writes where the keys go on; whoever comes next reads it anew.
  func write() throws(SQLiteError) {
    guard !next.isEmpty else { return }
    let statement = try database.prepare(
      "INSERT OR REPLACE INTO main.\(Associations.keys) (root, next) VALUES (?, ?)")
    for (root, key) in next.sorted(by: { $0.key < $1.key }) {
      try statement.run([.integer(Int64(root)), .integer(key)])
    }
    next = [:]
  }
}
