internal import DecantPasses
internal import DecantSQLite

/// Assigns the primary keys of new rows, above every kept key (docs/mapping-models.md, “How they run”).
package final class RowKeys {
  private let database: SQLiteDatabase
  /// The table that got the last key, as the number of its root entity, and the table's next key.
  ///
  /// The dictionary `next` may still have an earlier next key of this table.
  private var last: (root: Int, next: Int64)?
  /// The next key of each table that has got a key since the last `write()`.
  private var next: [Int: Int64] = [:]

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// - Parameter root: The number of the root entity of the table.
  /// - Throws: `NewKey.Exhausted`, `SQLiteError`.
  func take(_ root: Int) throws -> Int64 {
    if let last, last.root == root {
      let key = try NewKey.checked(.integer(last.next))
      self.last = (root, key + 1)
      return key
    }
    putBack()
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
    last = (root, key + 1)
    return key
  }

  private func putBack() {
    guard let last else { return }
    next[last.root] = last.next
    self.last = nil
  }

  /// Writes the next keys to the working file and forgets them; `take` reads them from there again.
  func write() throws(SQLiteError) {
    putBack()
    guard !next.isEmpty else { return }
    let statement = try database.prepare(
      "INSERT OR REPLACE INTO main.\(Associations.keys) (root, next) VALUES (?, ?)")
    for (root, key) in next.sorted(by: { $0.key < $1.key }) {
      try statement.run([.integer(Int64(root)), .integer(key)])
    }
    next = [:]
  }
}
