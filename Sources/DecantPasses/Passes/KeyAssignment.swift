package import DecantSQLite

/// Gives objects their keys while a statement reads source rows, and records the associations.
///
/// In this way the rows are read once, and nothing is sorted.
///
/// `decant_key(source key)` gives a source object a key. `decant_unique(source key, value)` gives the key of the object
/// for a value, or NULL if the value is NULL; if the object is new, it also lists the object in `temp.decant_chunk`.
/// Both functions are called in the order of the source keys.
///
/// `@unchecked Sendable`: only the step's own queue touches it.
package final class KeyAssignment: @unchecked Sendable {
  static let key = "decant_key"
  static let unique = "decant_unique"

  package init() {}

  private struct Run {
    var first: Int64
    var length: Int64
    var destination: Int64
  }

  private var numbering: KeyNumbering?
  /// The key of the next new object in the destination table; checked only when it is needed, because the table may
  /// have no key left.
  private var next: SQLiteValue?
  private var runs: [Run] = []
  /// The current run; its length is 0 if there is none yet.
  private var run = Run(first: 0, length: 0, destination: 0)
  private var block: SharedBlock?
  /// The number of the chunk's source rows without a value for `uniqueBy`.
  private var nothing = 0
  private var values = ValueCache()
  private var known: SQLiteStatement?
  private var made: SQLiteStatement?
  private var listed: SQLiteStatement?
  private var written: SQLiteStatement?

  package func register(in database: SQLiteDatabase) throws(SQLiteError) {
    try database.register(Self.key, arguments: 1) { [unowned self] arguments in
      try key(for: arguments.integer(0))
    }
    try database.register(Self.unique, arguments: 2) { [unowned self, unowned database] arguments in
      try unique(arguments, in: database)
    }
  }

  package func begin(_ numbering: KeyNumbering, in database: SQLiteDatabase) throws {
    if self.numbering != numbering { values = ValueCache() }
    self.numbering = numbering
    runs.removeAll(keepingCapacity: true)
    (run.length, nothing) = (0, 0)
    block = numbering.isInBlocks ? try lastBlock(of: numbering.mapping, in: database) : nil
    guard !numbering.keepsKeys else { return }
    let rows = try database.rows(
      "SELECT next FROM main.\(Associations.keys) WHERE root = ?", [.integer(Int64(numbering.root))])
    next = rows.first?.first
  }

  /// Writes the associations of a chunk's statements, in the same transaction.
  package func end(in database: SQLiteDatabase) throws(SQLiteError) {
    defer { (known, made, listed, written) = (nil, nil, nil, nil) }
    guard let numbering else { return }
    if let block { try write(block, of: numbering.mapping, in: database) }
    block = nil
    try RowCounts(database).add(nothing, RowCounts.withoutValue, mapping: numbering.mapping)
    if run.length > 0 { runs.append(run) }
    run.length = 0
    if !numbering.isShared, let first = runs.first, try isContinued(by: first, numbering, in: database) {
      runs.removeFirst()
    }
    let whole = runs.count / Self.atOnce * Self.atOnce
    try write(runs[..<whole], of: numbering.mapping, atOnce: Self.atOnce, in: database)
    try write(runs[whole...], of: numbering.mapping, atOnce: 1, in: database)
    runs.removeAll(keepingCapacity: true)
    guard !numbering.keepsKeys, let next else { return }
    try database.prepare("UPDATE main.\(Associations.keys) SET next = max(next, ?) WHERE root = ?").run([
      next, .integer(Int64(numbering.root)),
    ])
  }

  // MARK: Blocks

  /// The last written block, which this chunk continues; `nil` if the mapping has no block yet.
  ///
  /// The block's row is deleted now. It is written again when the block is full or the chunk ends.
  private func lastBlock(of mapping: Int, in database: SQLiteDatabase) throws -> SharedBlock? {
    let row = try database.rows(
      "SELECT first, destinations FROM main.\(Associations.shared) WHERE mapping = ? ORDER BY first DESC LIMIT 1",
      [.integer(Int64(mapping))]
    ).first
    guard let row, let first = row[0].integer else { return nil }
    guard case .text(let text) = row[1], let block = SharedBlock(first: first, destinations: text) else {
      throw SharedBlock.damage(at: first, in: database.path)
    }
    try database.prepare("DELETE FROM main.\(Associations.shared) WHERE mapping = ? AND first = ?").run([
      .integer(Int64(mapping)), .integer(first),
    ])
    return block
  }

  private func write(_ block: SharedBlock, of mapping: Int, in database: SQLiteDatabase) throws(SQLiteError) {
    let insert =
      if let written { written } else {
        try database.prepare(
          "INSERT INTO main.\(Associations.shared) (mapping, first, objects, destinations) VALUES (?, ?, ?, ?)")
      }
    written = insert
    try insert.run([
      .integer(Int64(mapping)), .integer(block.first), .integer(Int64(block.objects)),
      .text(block.destinations),
    ])
  }

  private func share(_ source: Int64, _ destination: Int64, in database: SQLiteDatabase) throws(SQLiteError) {
    guard let numbering, numbering.isInBlocks else {
      return runs.append(Run(first: source, length: 1, destination: destination))
    }
    if let full = block, !full.takes(source) {
      try write(full, of: numbering.mapping, in: database)
      block = nil
    }
    if block == nil { block = SharedBlock(first: source) }
    block?.append(source, destination)
  }

  // MARK: Runs

  private static let atOnce = 64

  private func write(
    _ runs: ArraySlice<Run>, of mapping: Int, atOnce count: Int, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    guard !runs.isEmpty else { return }
    let rows = repeatElement("(\(mapping), ?, ?, ?)", count: count).joined(separator: ", ")
    let insert = try database.prepare(
      "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) VALUES \(rows)")
    var place = 0
    for run in runs {
      try insert.bind(.integer(run.first), at: place + 1)
      try insert.bind(.integer(run.length), at: place + 2)
      try insert.bind(.integer(run.destination), at: place + 3)
      place += 3
      guard place == 3 * count else { continue }
      try insert.run()
      place = 0
    }
  }

  /// Makes the last written run longer, if a new run continues it.
  private func isContinued(
    by run: Run, _ numbering: KeyNumbering, in database: SQLiteDatabase
  ) throws(SQLiteError) -> Bool {
    let statement = try database.prepare(
      "UPDATE main.\(Associations.runs) SET length = length + ?4 WHERE mapping = ?1 AND first = (SELECT max(first) "
        + "FROM main.\(Associations.runs) WHERE mapping = ?1) AND first + length = ?2 AND destination + length = ?3"
    )
    try statement.run([
      .integer(Int64(numbering.mapping)), .integer(run.first), .integer(run.destination), .integer(run.length),
    ])
    return database.changes > 0
  }

  // MARK: Functions

  private func key(for source: Int64) throws -> Int64 {
    let destination = numbering?.keepsKeys == true ? source : try draw()
    // If keys are far apart, the differences overflow to values that can't be a length.
    if run.length > 0, source &- run.first == run.length, destination &- run.destination == run.length {
      run.length += 1
    } else {
      if run.length > 0 { runs.append(run) }
      run = Run(first: source, length: 1, destination: destination)
    }
    return destination
  }

  private func draw() throws(NewKey.Exhausted) -> Int64 {
    let key = try NewKey.checked(next)
    next = .integer(key + 1)
    return key
  }

  private func unique(_ arguments: FunctionArguments, in database: SQLiteDatabase) throws -> Int64? {
    guard let numbering else { return nil }
    guard !arguments.isNull(1) else {
      nothing += 1
      return nil
    }
    let source = arguments.integer(0)
    // Texts are compared by their bytes, even if they aren't UTF-8.
    let known: Int64? = try arguments.withText(1) { bytes -> Int64 in
      try values.destination(of: bytes) { () throws -> Int64 in
        try self.destination(source, numbering, in: database) { statement, place throws(SQLiteError) in
          try statement.bind(text: bytes, at: place)
        }
      }
    }
    let destination =
      if let known { known } else {
        try self.destination(source, numbering, in: database) { statement, place throws(SQLiteError) in
          try statement.bind(arguments.value(1), at: place)
        }
      }
    try share(source, destination, in: database)
    return destination
  }

  /// The key of the object for a value; a new key if the value has no object yet.
  private func destination(
    _ source: Int64, _ numbering: KeyNumbering, in database: SQLiteDatabase,
    bind: (SQLiteStatement, Int) throws(SQLiteError) -> Void
  ) throws -> Int64 {
    let mapping = SQLiteValue.integer(Int64(numbering.mapping))
    let known =
      try self.known
      ?? database.prepare(
        "SELECT destination FROM main.\(Associations.values) WHERE mapping = ? AND value = ?")
    self.known = known
    try known.bind(mapping, at: 1)
    try bind(known, 2)
    defer { known.reset() }
    if try known.step() { return Int64(known.integer(0)) }
    let destination = try draw()
    let made =
      try self.made
      ?? database.prepare(
        "INSERT INTO main.\(Associations.values) (mapping, value, destination, first) VALUES (?, ?, ?, ?)")
    self.made = made
    try bind(made, 2)
    try made.bind(mapping, at: 1)
    try made.bind(.integer(destination), at: 3)
    try made.bind(.integer(source), at: 4)
    try made.run()
    let listed =
      try self.listed
      ?? database.prepare("INSERT INTO temp.decant_chunk (source, destination) VALUES (?, ?)")
    self.listed = listed
    try listed.run([.integer(source), .integer(destination)])
    return destination
  }
}
