package import DecantSQLite

/// The progress of a step, kept in the working file itself so that a chunk and its checkpoint commit together.
package struct Checkpoint {
  package static let table = "Z_DECANT_CHECKPOINT"
  package static let workTables = [
    table:
      "CREATE TABLE \(table) (work INTEGER PRIMARY KEY, position INTEGER, taken INTEGER, rows INTEGER, chunks INTEGER, "
      + "done INTEGER, digest TEXT)"
  ]

  /// The state of one piece of work.
  package struct State {
    package var position: Int?
    /// Source rows that were processed.
    package var taken = 0
    /// Rows changed.
    package var rows = 0
    package var chunks = 0
    package var isDone = false

    package init() {}

    fileprivate init(position: Int?, taken: Int, rows: Int, chunks: Int, isDone: Bool) {
      self.position = position
      self.taken = taken
      self.rows = rows
      self.chunks = chunks
      self.isDone = isDone
    }
  }

  private let database: SQLiteDatabase

  package init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// The digest of the step's inputs; `nil` in a new file.
  package func digest() throws(SQLiteError) -> String? {
    if case .text(let digest)? = try database.rows("SELECT digest FROM \(Self.table) WHERE work = -1").first?
      .first
    {
      return digest
    }
    return nil
  }

  package func write(digest: String) throws(SQLiteError) {
    try database.prepare("INSERT OR REPLACE INTO \(Self.table) (work, digest) VALUES (-1, ?)").run([
      .text(digest)
    ])
  }

  /// SQL for the value of `now()`: the time of the run that began the file.
  static let time = "(SELECT CAST(position AS REAL) FROM main.\(table) WHERE work = -2)"

  /// Stores the time of the run that began the file.
  package func begin(at time: Double) throws(SQLiteError) {
    try database.prepare("INSERT OR IGNORE INTO \(Self.table) (work, position) VALUES (-2, ?)").run([
      .real(time)
    ])
  }

  package func time() throws(SQLiteError) -> Double? {
    switch try database.rows("SELECT \(Self.time)").first?.first {
    case .real(let time)?: time
    default: nil
    }
  }

  /// Whether the finished file has passed SQLite's check.
  package func isChecked() throws(SQLiteError) -> Bool {
    try database.integer("SELECT count(*) FROM \(Self.table) WHERE work = -3") > 0
  }

  package func noteChecked() throws(SQLiteError) {
    try database.execute("INSERT OR REPLACE INTO \(Self.table) (work) VALUES (-3)")
  }

  package func state(of work: Int) throws(SQLiteError) -> State {
    let rows = try database.rows(
      "SELECT position, taken, rows, chunks, done FROM \(Self.table) WHERE work = ?", [.integer(Int64(work))])
    guard let row = rows.first else { return State() }
    func number(_ index: Int) -> Int? { row[index].integer.flatMap { Int(exactly: $0) } }
    return State(
      position: number(0), taken: number(1) ?? 0, rows: number(2) ?? 0, chunks: number(3) ?? 0,
      isDone: (number(4) ?? 0) != 0)
  }

  package func write(_ state: State, of work: Int) throws(SQLiteError) {
    try database.prepare(
      "INSERT OR REPLACE INTO \(Self.table) (work, position, taken, rows, chunks, done) VALUES (?, ?, ?, ?, ?, ?)"
    ).run([
      .integer(Int64(work)), state.position.map { .integer(Int64($0)) } ?? .null, .integer(Int64(state.taken)),
      .integer(Int64(state.rows)),
      .integer(Int64(state.chunks)), .integer(state.isDone ? 1 : 0),
    ])
  }
}
