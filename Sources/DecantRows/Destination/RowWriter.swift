internal import DecantSQLite
internal import DecantStore
internal import Dispatch
internal import Synchronization

/// Writes the rows of one batch while the policy works on the next one.
///
/// At most one batch waits: before another batch is handed over, the previous batch must be written. The policy uses
/// the same connection. Code that reads the rows of a batch first waits until they are written.
///
/// `@unchecked Sendable`: the writer's queue uses the statements while it has a batch. At all other times only the
/// policy's queue uses them.
final class RowWriter: @unchecked Sendable {
  private let database: SQLiteDatabase
  private let queue = DispatchQueue(label: "decant.rows")
  private let group = DispatchGroup()
  private let failed = Mutex<SQLiteError?>(nil)
  private var isBusy = false
  /// The rows that were handed over last; empty after they have been written.
  private var spare: WaitingRows?

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// Hands rows over and returns an empty object for the next rows.
  ///
  /// - Throws: The error of the previous batch.
  func hand(over rows: WaitingRows) throws(SQLiteError) -> WaitingRows {
    guard !rows.isEmpty else {
      try finish()
      return rows
    }
    try finish()
    let empty = spare.take() ?? WaitingRows()
    isBusy = true
    spare = rows
    queue.async(group: group) { [self] in
      do throws(SQLiteError) {
        try put(rows)
      } catch {
        failed.withLock { $0 = error }
      }
    }
    return empty
  }

  /// Writes rows at once, after those that were handed over.
  func write(_ rows: WaitingRows) throws(SQLiteError) {
    try finish()
    try put(rows)
  }

  /// Waits until the rows that were handed over are written.
  func finish() throws(SQLiteError) {
    wait()
    if let failure { throw failure }
  }

  /// The queue's error; after an error nothing more is written.
  var failure: SQLiteError? { failed.withLock { $0 } }

  /// Waits for the rows that were handed over, and ignores errors.
  func wait() {
    guard isBusy else { return }
    group.wait()
    isBusy = false
  }

  private func put(_ rows: WaitingRows) throws(SQLiteError) {
    defer { rows.removeAll() }
    for part in rows.parts { try put(part, of: rows.values) }
  }

  private func put(_ part: WaitingRows.Part, of values: PackedRows) throws(SQLiteError) {
    // In new rows the key comes first. In updates it comes after the columns, because it is in the condition.
    let (statement, key, first) =
      if let columns = part.columns {
        (try updating(part.shape, columns), columns.count + 1, 1)
      } else {
        (try inserting(part.shape), 1, EntityShape.head + 1)
      }
    let width = part.width
    var (place, left) = (part.first, part.count)
    while left > 0 {
      // SQLite's own locks cost almost nothing while this lock is held. But the policy's queue may wait for this lock,
      // so only some rows are written at a time.
      let rows = min(left, Self.atOnce)
      try database.alone { () throws(SQLiteError) in
        for _ in 0..<rows {
          try values.bind(place, to: statement, at: key)
          for value in 1..<max(1, width) {
            try values.bind(place + value, to: statement, at: first + value - 1)
          }
          try statement.run()
          place += width
        }
      }
      left -= rows
    }
  }

  /// The number of rows that are written under one lock.
  private static let atOnce = 32

  /// The statement that inserts a row; values that all rows of an entity share are bound once.
  private func inserting(_ shape: EntityShape) throws(SQLiteError) -> SQLiteStatement {
    if let known = shape.inserting { return known }
    let made = try database.prepare(shape.insert)
    try made.bind(.integer(Int64(shape.number)), at: 2)
    try made.bind(.integer(1), at: 3)
    shape.inserting = made
    return made
  }

  /// The statement that sets some columns; policies usually set the same columns.
  private func updating(_ shape: EntityShape, _ columns: [Int]) throws(SQLiteError) -> SQLiteStatement {
    if let known = shape.updating[columns] { return known }
    let sets = columns.map { "\(quoted(shape.table.columns[$0].name)) = ?" }.joined(separator: ", ")
    let made = try database.prepare("UPDATE main.\(quoted(shape.table.name)) SET \(sets) WHERE Z_PK = ?")
    if shape.updating.count == Self.mostUpdates { shape.updating = [:] }
    shape.updating[columns] = made
    return made
  }

  private static let mostUpdates = 16
}
