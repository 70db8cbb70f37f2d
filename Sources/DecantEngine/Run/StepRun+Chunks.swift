internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantSQLite

/// The chunks of a step: their bounds, their work and their checkpoints.
extension StepRun {
  func state(of work: Int) throws(SQLiteError) -> Checkpoint.State {
    isInMemory ? Checkpoint.State() : try checkpoint.state(of: work)
  }

  private func isNeeded(_ work: Work) throws(SQLiteError) -> Bool {
    guard let condition = work.condition else { return true }
    if let table = work.longerRowsOf {
      let isLonger = input.source.hasLongerRows(in: table) {
        meter.beat()
        return !shouldStop() && !input.source.hasFailedCheck
      }
      if isLonger == false { return false }
    }
    return try database.integer(condition) > 0
  }

  private func keep(_ state: Checkpoint.State, of work: Int) throws(SQLiteError) {
    if !isInMemory { try checkpoint.write(state, of: work) }
  }

  /// Runs one chunk, or a whole piece without chunks, and writes the checkpoint in the same transaction.
  func chunk(of work: Work, index: Int, from before: Checkpoint.State) throws -> Checkpoint.State {
    var state = before
    switch work.extent {
    case .whole:
      chunkRows = Int64.min...Int64.max
      try inTransaction {
        if let action = work.action { state.rows += try perform(action, after: Int.min, upTo: Int.max) }
        let isNeeded = try isNeeded(work)
        // The values that an earlier version left in the rows must not stay in freed pages, so SQLite overwrites them.
        let erases = isNeeded && work.longerRowsOf != nil
        if erases { try database.execute("PRAGMA main.secure_delete=ON") }
        defer { if erases { try? database.execute("PRAGMA main.secure_delete=FAST") } }
        for statement in work.statements where isNeeded {
          try database.prepare(statement).run()
          noteChange(by: statement)
          if work.finding != nil { state.rows += database.changes }
        }
        if let count = work.count { state.rows = try database.integer(count) }
        state.isDone = true
        state.chunks += 1
        try keep(state, of: index)
      }
    case .chunks(let table, let key):
      let lower = before.position ?? Int.min
      let size = chunkSize.rows(stated: work.chunkRows)
      let start = ContinuousClock.now
      // For a table smaller than a chunk, no bound has to be searched.
      let isOne = before.position == nil && (input.source.countedRows(in: table) ?? size) < size
      let upper =
        isOne
        ? nil
        : try bound(
          after: lower, table: table, key: key, rows: size,
          isExact: !chunkSize.isMeasured(stated: work.chunkRows))
      chunkRows = Int64(lower)...Int64(upper ?? Int.max)
      try inTransaction {
        if let action = work.action {
          state.rows += try perform(action, after: lower, upTo: upper ?? Int.max)
        }
        if let numbering = work.numbering { try input.program.keys?.begin(numbering, in: database) }
        for (place, statement) in work.statements.enumerated() {
          let prepared = try database.prepare(statement)
          let bounds: [SQLiteValue] = [.integer(Int64(lower)), .integer(Int64(upper ?? Int.max))]
          try prepared.run(Array(bounds.prefix(prepared.parameterCount)))
          noteChange(by: statement)
          if work.counted?.contains(place) ?? true { state.rows += database.changes }
        }
        if work.numbering != nil { try input.program.keys?.end(in: database) }
        state.position = upper
        state.taken += size
        state.isDone = upper == nil
        state.chunks += 1
        try keep(state, of: index)
      }
      if !state.isDone { chunkSize.took(start.duration(to: .now), stated: work.chunkRows) }
      try countAssociations()
      meter.advance(index: index, rowsDone: state.taken, chunkSize: size, isLast: state.isDone)
    }
    return state
  }

  /// Counts the associations for the progress, at most once a second and in at most 2 % of the time.
  private func countAssociations() throws(SQLiteError) {
    let start = ContinuousClock.now
    guard input.program.passPlan != nil, associationsDue <= start else { return }
    meter.take(associations: try database.integer(Associations.total))
    associationsDue = ContinuousClock.now + max(.seconds(1), start.duration(to: .now) * 50)
  }

  /// Records the table of a copy whose rows a statement has just changed.
  private func noteChange(by statement: String) {
    guard input.program.alteration != nil, database.changes > 0,
      let table = Alteration.changedTable(by: statement)
    else { return }
    changedTables.insert(table)
  }

  private func perform(_ action: RowAction, after lower: Int, upTo upper: Int) throws -> Int {
    try input.program.perform(
      action, after: lower, upTo: upper, progress: meter.part, beat: { self.meter.beat() })
  }

  /// The transaction stays open for the next chunk if the program can't commit yet.
  private func inTransaction(_ work: () throws -> Void) throws {
    // In memory there is one transaction for the whole step, and the store is discarded after an error.
    if isInMemory { return try work() }
    if !isHeld { try database.execute("BEGIN IMMEDIATE") }
    do {
      try work()
      // Code that reads may have continued after a failed read, and a later run trusts committed chunks. So nothing is
      // committed after a disk failure.
      if let failure = input.watch?.failure { throw MigrationFailure(failure) }
      isHeld = input.program.holdsCommits
      if !isHeld { try database.execute("COMMIT") }
    } catch {
      isHeld = false
      // SQLite may have ended the transaction already. The first error is reported.
      try? database.execute("ROLLBACK")
      throw error
    }
    try becomeDurable()
  }

  /// The last key of a chunk that begins after `lower`.
  ///
  /// - Parameter isExact: Whether the number of rows was given by the user.
  /// - Returns: `nil` if the chunk has no upper bound, because it takes all remaining rows.
  private func bound(
    after lower: Int, table: String, key: String, rows: Int, isExact: Bool
  ) throws(SQLiteError) -> Int? {
    // Without gaps the bound needs no search.
    if !isExact, key == "Z_PK", let spread = try input.source.keySpread(of: table), spread.isDense {
      let first = max(Int64(lower), spread.least &- 1)
      let (bound, isBeyond) = first.addingReportingOverflow(Int64(rows))
      return isBeyond || bound >= spread.greatest ? nil : Int(bound)
    }
    return try database.rows(
      "SELECT \(quoted(key)) FROM source.\(quoted(table)) WHERE \(quoted(key)) > ? ORDER BY 1 LIMIT 1 OFFSET ?",
      [.integer(Int64(lower)), .integer(Int64(rows - 1))]
    ).first?.first?.integer.flatMap { Int(exactly: $0) }
  }
}
