package import DecantSQLite

/// Reads the rows of one entity in batches, in key order.
///
/// `@unchecked Sendable`: only one thread reads at a time.
package final class RowBatches: @unchecked Sendable {
  private let rows: EntityRows
  private let source: RowSource
  private let statement: SQLiteStatement
  private let limit: Int
  /// The size of the last batch's texts and blobs, in bytes.
  private var usual = 0
  /// The size of texts and blobs at which a batch ends early, in bytes; the memory for the cells has the same limit.
  private static let budget = 4 << 20

  /// - Parameter limit: The largest number of rows of a batch; entities with very many attributes have fewer.
  init(
    rows: EntityRows, source: RowSource, table: String, where condition: String, flag: String, limit: Int,
    in database: SQLiteDatabase
  ) throws(SQLiteError) {
    self.rows = rows
    self.source = source
    let limit = min(limit, max(1, Self.budget / RowBatch.bytes(ofRow: rows)))
    self.limit = limit
    statement = try database.prepare(
      "SELECT \(rows.columns.joined(separator: ", ")), \(flag) FROM \(table) AS s NOT INDEXED "
        + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND \(condition) ORDER BY s.Z_PK LIMIT \(limit)")
  }

  /// The next rows within bounds.
  ///
  /// - Parameters:
  ///   - lower: The lower bound of the keys, exclusive.
  ///   - upper: The upper bound of the keys, inclusive.
  package func next(after lower: Int64, upTo upper: Int64) throws(SQLiteError) -> RowBatch {
    let batch = RowBatch(rows, rows: limit, bytes: min(usual, Self.budget))
    defer { usual = batch.size }
    try statement.bind(.integer(lower), at: 1)
    try statement.bind(.integer(upper), at: 2)
    defer { statement.reset() }
    while try statement.step() {
      batch.append(statement)
      if batch.size > Self.budget { return batch }
    }
    batch.isLast = batch.count < limit
    return batch
  }

  package var entity: String { rows.entity }

  package func object(_ row: Int, of batch: RowBatch) -> RowObject {
    RowObject(source: source, rows: rows, key: batch.key(row), batch: batch, place: row)
  }
}
