internal import DecantStore

/// Gives out the primary keys of new rows, above every key that is kept (DESIGN 3.5, “Keys”).
final class RowKeys {
  private let database: SQLiteDatabase
  /// The next key of each family that has given one out since the last `write()`.
  private var next: [Int: Int64] = [:]

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// Why no key can be given out.
  struct Exhausted: Error, CustomStringConvertible {
    let next: String

    var description: String {
      "there are no primary keys left: the next one would be \(next); the source's keys or its Z_PRIMARYKEY are damaged"
    }
  }

  /// The next key of a family, by its root's entity number.
  ///
  /// - Throws: `Exhausted`, `SQLiteError`.
  func take(_ root: Int) throws -> Int64 {
    let key: Int64
    if let known = next[root] {
      key = known
    } else {
      let rows = try database.rows(
        "SELECT next FROM main.\(Associations.keys) WHERE root = ?", [.integer(Int64(root))])
      guard let next = rows.first?.first?.integer else {
        throw Exhausted(next: rows.first?.first.map { "\($0)" } ?? "unknown")
      }
      key = next
    }
    // Half of what there is leaves room for everything that counts keys.
    guard (1...Int64.max / 2).contains(key) else { throw Exhausted(next: "\(key)") }
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
