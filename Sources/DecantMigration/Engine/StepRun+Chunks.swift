internal import DecantSQLite

/// The chunks of a step: where each ends, what is done in it, and how far it has come then.
extension StepRun {
  func state(of work: Int) throws(SQLiteError) -> Checkpoint.State {
    isInMemory ? Checkpoint.State() : try checkpoint.state(of: work)
  }

  private func keep(_ state: Checkpoint.State, of work: Int) throws(SQLiteError) {
    if !isInMemory { try checkpoint.write(state, of: work) }
  }

  /// One chunk and its checkpoint in one transaction.
  func chunk(of work: Work, index: Int, from before: Checkpoint.State) throws -> Checkpoint.State {
    var state = before
    switch work.extent {
    case .whole:
      chunkRows = Int64.min...Int64.max
      try inTransaction {
        if let action = work.action { state.rows += try perform(action, after: Int.min, upTo: Int.max) }
        let isNeeded = if let condition = work.condition { try database.integer(condition) > 0 } else { true }
        for statement in work.statements where isNeeded {
          try database.prepare(statement).run()
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
      // A table that is smaller than a chunk needs no look for where the chunk ends.
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
      meter.advance(index: index, rowsDone: state.taken, chunkSize: size, isLast: state.isDone)
    }
    return state
  }

  private func perform(_ action: RowAction, after lower: Int, upTo upper: Int) throws -> Int {
    try input.program.perform(
      action, after: lower, upTo: upper, progress: meter.part, beat: { self.meter.beat() })
  }

  /// Runs a chunk in a transaction, which goes on into the next chunk where the program can't have it committed yet.
  ///
  /// Whatever fails in it takes back everything since the last commit.
  private func inTransaction(_ work: () throws -> Void) throws {
    // All is one transaction there, and thrown away where something fails.
    if isInMemory { return try work() }
    if !isHeld { try database.execute("BEGIN IMMEDIATE") }
    do {
      try work()
      isHeld = input.program.holdsCommits
      if !isHeld { try database.execute("COMMIT") }
    } catch {
      isHeld = false
      // The transaction may have ended by itself; the first error is the one to report.
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  /// The key at which a chunk that begins after `lower` ends; `nil` where the rest is smaller than a chunk.
  ///
  /// - Parameter isExact: Whether somebody has said how many rows it has.
  private func bound(
    after lower: Int, table: String, key: String, rows: Int, isExact: Bool
  ) throws(SQLiteError) -> Int? {
    // Without gaps nothing has to be looked for.
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
