internal import DecantPasses
internal import DecantReport
internal import DecantSQLite

extension StepRun {
  /// Moves the invalid objects into a separate store, and removes them from the destination.
  ///
  /// - Parameter first: The first number of the checkpoint's entries for this work. The following numbers are used too.
  /// - Throws: `StepFailure`, `SQLiteError`, `StoreError`.
  func putAside(from first: Int) throws {
    guard let quarantine = input.program.quarantine else { return }
    meter.tell(.validate, check: .quarantine)
    var marks = try checkpoint.state(of: first)
    while !marks.isDone {
      guard !shouldStop() else { throw StepFailure.stopped }
      let before = marks
      marks = try onQueue { try self.mark(quarantine, first, from: before) }
    }
    let summary = QuarantineSummary(quarantine: quarantine, database: database)
    let count = try summary.count()
    guard count > 0 else { return }
    let findings = try summary.findings()
    report.quarantine = MigrationReport.Quarantine(
      store: input.quarantine.storeName, list: input.quarantine.listName, objects: count,
      reasons: findings.map {
        .init(entity: $0.entity, property: $0.property, code: $0.code, words: $0.words, objects: $0.count)
      })
    warnings += findings.map { "\($0); moved to quarantine." }
    var made = try checkpoint.state(of: first + 1)
    if !made.isDone {
      let (meter, shouldStop) = (meter, shouldStop)
      try QuarantineStore(
        quarantine: quarantine, files: input.quarantine, workingFile: input.path, metadata: input.metadata,
        modelCache: input.modelCache
      ).make {
        meter.beat()
        return !shouldStop()
      }
      made.isDone = true
      let state = made
      try onQueue { try self.checkpoint.write(state, of: first + 1) }
    }
    for (index, work) in quarantine.removing.enumerated() { try run(work, index: first + 2 + index) }
  }

  private func mark(
    _ quarantine: Quarantine, _ index: Int, from before: Checkpoint.State
  ) throws -> Checkpoint.State {
    do {
      return try database.transaction { () throws(SQLiteError) in
        var state = before
        state.isDone = try QuarantineMarking(quarantine, in: database).advance(&state)
        state.chunks += 1
        try checkpoint.write(state, of: index)
        return state
      }
    } catch {
      throw error.isFunctionError ? StepFailure.badValue(place: "Quarantine", reason: error.message) : error
    }
  }
}
