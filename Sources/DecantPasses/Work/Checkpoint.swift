package import DecantSQLite

/// The progress of a step, kept in the working file itself so that a chunk and its checkpoint commit together.
package struct Checkpoint {
  /// One row for each piece of work that has begun.
  package static let pieces = "Z_DECANT_CHECKPOINT"
  /// One row for the whole step: its digest, its time, and whether the result is checked.
  package static let step = "Z_DECANT_STEP"
  package static let workTables = [
    pieces: "CREATE TABLE \(pieces) (work INTEGER PRIMARY KEY, position INTEGER, taken INTEGER NOT NULL, "
      + "rows INTEGER NOT NULL, chunks INTEGER NOT NULL, done INTEGER NOT NULL)",
    step: "CREATE TABLE \(step) (id INTEGER PRIMARY KEY CHECK (id = 1), digest TEXT NOT NULL, "
      + "began REAL NOT NULL, checked INTEGER NOT NULL DEFAULT 0)",
  ]

  package struct State {
    /// The upper bound of the last chunk that was done; `nil` before the first chunk and after the last chunk.
    ///
    /// For a quarantine, the last round (`QuarantineMarking`).
    package var position: Int?
    /// The number of processed source rows; each chunk counts with its full size.
    package var taken = 0
    /// The number for `Work.finding`.
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

  /// Records the digest of the step's inputs and the time, unless an earlier run has begun the file.
  package func begin(digest: String, at time: Double) throws(SQLiteError) {
    try database.prepare("INSERT OR IGNORE INTO \(Self.step) (id, digest, began) VALUES (1, ?, ?)").run([
      .text(digest), .real(time),
    ])
  }

  /// The value in place of the digest in a file that may not survive a power cut; no digest is equal to it.
  package static let noDigest = ""

  /// Records the digest of the step's inputs in a file that has begun without it.
  package func note(digest: String) throws(SQLiteError) {
    try database.prepare("UPDATE \(Self.step) SET digest = ?").run([.text(digest)])
  }

  /// The digest of the step's inputs; `nil` in a new file.
  package func digest() throws(SQLiteError) -> String? {
    guard case .text(let digest)? = try database.rows("SELECT digest FROM \(Self.step)").first?.first else {
      return nil
    }
    return digest
  }

  /// SQL for the value of `now()`, as the run that began the file recorded it.
  package static let time = "(SELECT began FROM main.\(step))"

  package func time() throws(SQLiteError) -> Double? {
    guard case .real(let time)? = try database.rows("SELECT \(Self.time)").first?.first else { return nil }
    return time
  }

  /// Whether the finished file has passed SQLite's check.
  package func isChecked() throws(SQLiteError) -> Bool {
    try database.integer("SELECT checked FROM \(Self.step)") != 0
  }

  package func noteChecked() throws(SQLiteError) { try database.execute("UPDATE \(Self.step) SET checked = 1") }

  package func state(of work: Int) throws(SQLiteError) -> State {
    let rows = try database.rows(
      "SELECT position, taken, rows, chunks, done FROM \(Self.pieces) WHERE work = ?", [.integer(Int64(work))])
    guard let numbers = rows.first?.map({ $0.integer.flatMap { Int(exactly: $0) } }) else { return State() }
    return State(
      position: numbers[0], taken: numbers[1] ?? 0, rows: numbers[2] ?? 0, chunks: numbers[3] ?? 0,
      isDone: numbers[4] != 0)
  }

  package func write(_ state: State, of work: Int) throws(SQLiteError) {
    try database.prepare(
      "INSERT OR REPLACE INTO \(Self.pieces) (work, position, taken, rows, chunks, done) VALUES (?, ?, ?, ?, ?, ?)"
    ).run([
      .integer(Int64(work)), state.position.map { .integer(Int64($0)) } ?? .null, .integer(Int64(state.taken)),
      .integer(Int64(state.rows)), .integer(Int64(state.chunks)), .integer(state.isDone ? 1 : 0),
    ])
  }
}
