internal import DecantPasses
package import DecantSQLite
internal import DecantStore
internal import Foundation

/// The end of a step: rows that aren't objects, the check of the file, and sealing.
extension StepRun {
  /// Writes all rows that aren't objects.
  ///
  /// A resumed run repeats this, which is quick.
  private func administer() throws {
    let marks = try input.program.marks(of: input.source, in: database)
    for statement in input.source.historyStatements where try !exists(DestinationStore.name(of: statement)) {
      try onQueue { try self.database.execute(statement) }
    }
    try onQueue {
      try self.destination.administer(
        metadata: self.input.metadata, maxima: marks.maxima, further: marks.history,
        modelCache: self.input.modelCache)
    }
  }

  /// The check of the working file: done before or not wanted, running in parallel (`side`), or still to do.
  struct Check {
    var isDone = false
    var side: SideCheck?
  }

  private var resultCheck: ResultCheck {
    guard let alteration = input.program.alteration else { return ResultCheck(hasOldIndexes: hasOldIndexes) }
    let kept = Set(alteration.reshaping.kept.map(\.destination))
    // It isn't known which tables an earlier run has changed, so all tables that it may have changed are checked as
    // changed.
    let earlier = isResumed ? alteration.changedTables(by: input.program.filling + input.program.checking) : []
    let changed = changedTables.union(earlier)
    let history = input.source.historyStatements.filter { $0.hasPrefix("CREATE TABLE ") }
    return ResultCheck(
      hasOldIndexes: hasOldIndexes,
      only: .init(
        new: (destination.tableNames + history.map(DestinationStore.name)).filter { !kept.contains($0) },
        changed: kept.filter(changed.contains).sorted(), indexed: isResumed ? nil : indexedTables))
  }

  /// Whether all objects and indexes of a large file are written, so that only dangling references may have to be
  /// removed.
  func isWritten() throws -> Bool {
    try !isInMemory && input.checksPages && SideCheck.pays(for: input.path) && input.program.quarantine == nil
      && input.program.checking.allSatisfy { $0.condition != nil } && destination.missingIndexes().isEmpty
      && destination.openConstrainedTables().isEmpty
  }

  /// Completes the file and begins its check; the caller must not write to the file until the check has ended.
  func beginCheck() throws -> Check {
    try administer()
    beginWriting()
    guard input.checksPages else { return Check(isDone: true) }
    if isInMemory { return Check() }
    if try checkpoint.isChecked() { return Check(isDone: true) }
    return Check(side: try SideCheck(of: input.path, resultCheck))
  }

  /// - Throws: `StepFailure.damagedResult` with the findings, `SQLiteError`.
  func finish(_ check: Check) throws {
    if check.isDone { return }
    meter.tell(.finish, entityMapping: "integrity check")
    let findings =
      try check.side?.findings {
        meter.beat()
        return !shouldStop()
      } ?? resultCheck.findings(in: database)
    let tables = input.program.alteration == nil ? [] : try destination.tableFindings()
    guard findings.isEmpty, tables.isEmpty else { throw StepFailure.damagedResult(findings: findings + tables) }
    if !isInMemory { try onQueue { try self.checkpoint.noteChecked() } }
  }

  /// Drops the work tables, frees pages and sets the journal mode.
  package func seal() throws {
    meter.tell(.finish, entityMapping: "checkpoint")
    try onQueue { try Self.seal(self.destination, self.input) }
  }

  /// Seals a complete working file whose checkpoint an earlier run has dropped.
  package static func seal(_ input: Input) throws {
    try seal(DestinationStore(at: input.path, layout: input.program.destination), input)
  }

  private static func seal(_ destination: DestinationStore, _ input: Input) throws {
    try destination.seal(
      workTables: Array(input.workTables.keys), usesWriteAheadLog: input.source.usesWriteAheadLog,
      // If the copy keeps all content, free pages stay unless they are more than a tenth of all pages. Otherwise all
      // free pages are given back.
      leastFree: keepsAllContent(input) ? 10 : nil)
  }

  private static func keepsAllContent(_ input: Input) -> Bool {
    // Tables of the history and of CloudKit are dropped, or written again, so the copy doesn't keep their content.
    let source = input.source
    guard source.historyTables.isEmpty, source.cloudKitTables.isEmpty else { return false }
    return input.program.alteration?.keepsAllContent(of: input.program.source) ?? false
  }

  /// Whether the working file has its metadata and no checkpoint, so that only sealing is left.
  package static func isComplete(_ input: Input) throws(SQLiteError) -> Bool {
    try SQLiteDatabase.leftover(input.path) { file throws(SQLiteError) in
      let checkpoints = try file.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = ?", [.text(Checkpoint.pieces)])
      let metadata = try file.integer("SELECT count(*) FROM Z_METADATA")
      return checkpoints == 0 && metadata == 1
    } ?? false
  }

  private func exists(_ name: String) throws -> Bool {
    try database.integer("SELECT count(*) FROM main.sqlite_master WHERE name = ?", [.text(name)]) > 0
  }
}
