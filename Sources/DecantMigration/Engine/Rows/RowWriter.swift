internal import DecantStore
internal import Dispatch
internal import Synchronization

/// Writes the rows of one batch while the policy is at work on the next one.
///
/// One batch waits at most: who hands over another waits for the one before. The connection is the policy's too; whoever
/// wants to see what has been handed over waits first. `@unchecked Sendable`: statements are used by the queue while it
/// has a batch, and by the policy's queue when it has none.
final class RowWriter: @unchecked Sendable {
  /// One row to be written.
  struct Row {
    let shape: EntityShape
    let key: Int64
    let isNew: Bool
    /// What was set, by column; empty where nothing was.
    let slots: [SQLiteValue?]
  }

  /// Rows on their way to the queue; nobody else has them any more.
  private struct Batch: @unchecked Sendable {
    let rows: [Row]
  }

  private let database: SQLiteDatabase
  private let queue = DispatchQueue(label: "decant.rows")
  private let group = DispatchGroup()
  private let failed = Mutex<SQLiteError?>(nil)
  private var isBusy = false

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// Hands rows over.
  ///
  /// - Throws: What went wrong with those before.
  func hand(over rows: [Row]) throws(SQLiteError) {
    try finish()
    guard !rows.isEmpty else { return }
    isBusy = true
    let batch = Batch(rows: rows)
    queue.async(group: group) { [self] in
      do throws(SQLiteError) {
        try put(batch.rows)
      } catch {
        failed.withLock { $0 = error }
      }
    }
  }

  /// Writes rows at once, after those that were handed over.
  func write(_ rows: [Row]) throws(SQLiteError) {
    try finish()
    try put(rows)
  }

  /// Waits for what was handed over.
  func finish() throws(SQLiteError) {
    wait()
    if let failure { throw failure }
  }

  /// What went wrong on the queue; nothing is written after it.
  var failure: SQLiteError? { failed.withLock { $0 } }

  /// Waits for what was handed over, whatever becomes of it.
  func wait() {
    guard isBusy else { return }
    group.wait()
    isBusy = false
  }

  private func put(_ rows: [Row]) throws(SQLiteError) {
    for row in rows {
      if row.isNew { try insert(row) } else { try update(row) }
    }
  }

  private func insert(_ row: Row) throws(SQLiteError) {
    let shape = row.shape
    let statement = if let known = shape.inserting { known } else { try database.prepare(shape.insert) }
    shape.inserting = statement
    try statement.bind(.integer(row.key), at: 1)
    try statement.bind(.integer(Int64(shape.number)), at: 2)
    try statement.bind(.integer(1), at: 3)
    for index in 3..<max(3, shape.defaults.count) {
      let value = row.slots.isEmpty ? nil : row.slots[index]
      try statement.bind(value ?? shape.defaults[index], at: index + 1)
    }
    try statement.run()
  }

  private func update(_ row: Row) throws(SQLiteError) {
    let columns = row.slots.indices.filter { row.slots[$0] != nil }
    guard !columns.isEmpty else { return }
    let statement = try statement(of: row.shape, columns)
    for (place, column) in columns.enumerated() {
      try statement.bind(row.slots[column] ?? .null, at: place + 1)
    }
    try statement.bind(.integer(row.key), at: columns.count + 1)
    try statement.run()
  }

  /// The statement that sets some columns; policies mostly set the same ones.
  private func statement(of shape: EntityShape, _ columns: [Int]) throws(SQLiteError) -> SQLiteStatement {
    if let known = shape.updating[columns] { return known }
    let sets = columns.map { "\(quoted(shape.table.columns[$0].name)) = ?" }.joined(separator: ", ")
    let made = try database.prepare("UPDATE main.\(quoted(shape.table.name)) SET \(sets) WHERE Z_PK = ?")
    if shape.updating.count == Self.mostUpdates { shape.updating = [:] }
    shape.updating[columns] = made
    return made
  }

  private static let mostUpdates = 16
}
