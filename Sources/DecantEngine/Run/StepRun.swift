internal import DecantMapping
internal import DecantModel
internal import DecantPasses
package import DecantReport
package import DecantSQLite
internal import DecantStore
internal import Dispatch
internal import Foundation

/// Runs one step: fills a working file chunk by chunk and makes it a store.
///
/// Each chunk is a work item on the step's own serial queue. `@unchecked Sendable`: the queue uses the mutable state
/// only while the step's thread waits for the queue.
package final class StepRun: @unchecked Sendable {
  let input: Input
  let destination: DestinationStore
  let database: SQLiteDatabase
  let checkpoint: Checkpoint
  private let hasCheckpoint: Bool
  private let queue: DispatchQueue
  let meter: StepMeter
  var chunkSize: ChunkSize
  /// The source keys of the current chunk; the lower bound is exclusive.
  var chunkRows = Int64.min...Int64.max
  /// Whether a transaction is open across chunks.
  var isHeld = false
  /// Whether the working file survives a power cut, so that a later run may continue it.
  package internal(set) var isDurable: Bool
  let begun = ContinuousClock.now
  /// Whether the store is built in memory; then the step can't be resumed.
  var isInMemory: Bool { input.small != nil }
  let shouldStop: @Sendable () -> Bool
  package var warnings: [String] = []
  /// The losses that `LostPairs` has found, under the source version's names.
  package private(set) var losses: [MigrationReport.Loss] = []
  /// For each piece of work whose rows are only estimated so far, the table that is being counted.
  private var countsLater: [String?] = []
  /// The number of removed pairs, by join table; at least one of the two objects is missing or quarantined.
  private var dangling: [String: Int] = [:]
  package var report: MigrationReport.Step
  /// Whether an earlier run may have built indexes.
  private(set) var hasOldIndexes = false
  /// Whether an earlier run has begun the file.
  let isResumed: Bool
  /// When the associations are counted again.
  var associationsDue = ContinuousClock.now
  /// The tables of a copy whose rows this run has changed.
  var changedTables: Set<String> = []
  /// The tables for which this run has made indexes.
  private(set) var indexedTables: Set<String> = []

  /// Opens or makes the working file, or a store in memory; a file with another digest is discarded.
  package init(
    _ input: Input, report: MigrationReport.Step, meter: StepMeter, shouldStop: @escaping @Sendable () -> Bool
  ) throws {
    self.input = input
    self.report = report
    self.meter = meter
    chunkSize = input.chunkSize
    self.shouldStop = shouldStop
    queue = DispatchQueue(label: "decant.write")
    let isUsable =
      try input.small == nil && FileManager.default.fileExists(atPath: input.path)
      && SQLiteDatabase.leftover(input.path, { file throws(SQLiteError) in try Checkpoint(file).digest() })
        == input.digest
    // A killed run may have left a journal without its file. Such a journal must not be beside another file.
    if !isUsable { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(input.path + suffix) } }
    isResumed = access(input.path, F_OK) == 0
    isDurable = isResumed || input.patience == .zero
    destination = try Self.destination(input, isDurable: isDurable) {
      meter.beat()
      return !shouldStop()
    }
    database = destination.database
    hasCheckpoint = input.needsCheckpoint
    checkpoint = Checkpoint(database)
    // In a working file, `destination` has begun the checkpoint already.
    if hasCheckpoint, input.small != nil { try checkpoint.begin(digest: input.digest, at: input.now) }
    try ExternalDataFunction.register(in: database, folder: input.externalFolder)
    if input.small?.source == nil {
      try database.attachImmutable(input.source.readPath, as: "source")
    }
    let beats: @Sendable () -> Bool = {
      meter.beat()
      return !(meter.isInterruptible && shouldStop()) && !input.source.hasFailedCheck
    }
    let reading = {
      let reading = try input.source.connection(
        "the source of \(input.path)", externalFolder: input.externalFolder)
      reading.observe(beats)
      return reading
    }
    database.observe(beats)
    let time = try time()
    try input.program.prepare(database, time: time, reading: reading) {
      // Report progress while the program waits.
      meter.beat()
      return shouldStop()
    }
  }

  /// - Parameter beats: Asked while a large file is copied and while statements run; false ends the copying or the
  ///   statement.
  private static func destination(
    _ input: Input, isDurable: Bool, _ beats: @escaping @Sendable () -> Bool
  ) throws -> DestinationStore {
    let further = input.source.historyStatements.filter { $0.hasPrefix("CREATE TABLE ") }
    if let small = input.small {
      return try DestinationStore(
        inMemoryFor: input.path, layout: input.program.destination, furtherTables: further,
        workTables: input.workTables, emptyStores: small.emptyStores, limit: small.mostMemory,
        source: small.source)
    }
    var reshaping: Reshaping?
    if let alteration = input.program.alteration, access(input.path, F_OK) != 0 {
      try WorkingCopy(of: input.source.readPath, to: input.path, identity: input.digest).make(while: beats)
      reshaping = alteration.reshaping
    }
    return try DestinationStore(
      at: input.path, layout: input.program.destination, furtherTables: further, workTables: input.workTables,
      isOpen: true, reshaping: reshaping, isDurable: isDurable, observer: beats
    ) { database throws(SQLiteError) in
      try Checkpoint(database).begin(digest: isDurable ? input.digest : Checkpoint.noDigest, at: input.now)
    }
  }

  /// The value of `now()` in this file.
  package func time() throws(SQLiteError) -> Double {
    hasCheckpoint ? try checkpoint.time() ?? input.now : input.now
  }

  /// - Throws: `StepFailure`, `SQLiteError`, `StoreError`; `MigrationFailure` if the disk fails.
  package func run() throws {
    defer { input.program.close() }
    let (filling, checking) = (input.program.filling, input.program.checking)
    // The indexes of a new copy come from the source, where `SourceStore.compareIndexes(of:)` compares them with the
    // rows.
    hasOldIndexes =
      try !isInMemory && (input.program.alteration == nil || isResumed) && destination.hasIndexes()
    let totals = try filling.map { try total(of: $0) }
    let before = try filling.indices.map { try state(of: $0) }
    meter.begin(
      totals: totals, taken: before.map { $0.isDone ? .max : $0.taken },
      passes: filling.map(\.pass), tables: filling.map(\.objectTable), kinds: filling.map(\.kind),
      first: before.firstIndex { !$0.isDone } ?? filling.count - 1)
    countsLater = filling.map(\.chunkedTable)
    if isInMemory { try onQueue { try self.database.execute("BEGIN") } }
    for (index, work) in filling.enumerated() {
      do {
        try run(work, index: index)
      } catch let error as SQLiteError {
        throw try input.program.explained(error, of: work, rows: chunkRows, in: database)
      }
    }
    // If an earlier run has finished the filling, its later work may have removed objects. Then nothing is checked
    // here.
    if filling.isEmpty || !before.allSatisfy(\.isDone) {
      let contradictions = try input.program.contradictions(in: database)
      guard contradictions.isEmpty else { throw StepFailure.contradictory(findings: contradictions) }
    }
    try forget()
    try createIndexes { !$0.hasPrefix("CREATE UNIQUE ") }
    try onQueue { try self.becomeDurable() }
    // If nothing else has to be written, the check begins before the search for dangling references.
    let isWritten = try isWritten()
    var check = try isWritten ? beginCheck() : nil
    defer { check?.side?.cancel() }
    for (index, work) in checking.enumerated() {
      if isWritten, try hasNothing(to: work, index: filling.count + index) { continue }
      check?.side?.cancel()
      check = nil
      try run(work, index: filling.count + index)
    }
    try putAside(from: filling.count + checking.count)
    // Uniqueness is checked after dangling references have been removed, because these could look like duplicates.
    try UniquenessCheck(of: input.program.destination).check(database)
    try constrain()
    try createIndexes { _ in true }
    if isInMemory { try onQueue { try self.database.execute("COMMIT") } }
    // While a check runs, nothing may be written.
    if check == nil { try onQueue { try self.becomeDurable() } }
    let last = try check ?? beginCheck()
    check = last
    meter.tell(.validate, check: .rules)
    warnings += try input.program.validate(in: database)
    let complete = try countRows()
    if let plan = input.program.passPlan {
      meter.tell(.validate, check: .pairs)
      let database = database
      let program = input.program
      losses = try onQueue {
        try LostPairs(plan: plan, database: database, hasQuarantine: program.quarantine != nil).losses(
          program.pairQuestions
        ) {
          guard !self.shouldStop() else { throw StepFailure.stopped }
        }
      }
    }
    if let keeping = input.keeping {
      meter.tell(.finish, entityMapping: "associations")
      let time = try time()
      try onQueue {
        try keeping.write(self.input.program, from: self.database, complete: complete, time: time)
      }
    }
    try finish(last)
  }

  /// Removes data that only the filling needed; the indexes reuse the freed pages.
  private func forget() throws {
    try onQueue {
      // In memory there is one transaction for the whole step, so none is begun here.
      if self.isInMemory { return try self.input.program.forget(in: self.database) }
      try self.database.transaction { () throws(SQLiteError) in
        try self.input.program.forget(in: self.database)
      }
    }
  }

  private func createIndexes(where isWanted: (String) -> Bool) throws {
    for statement in try destination.missingIndexes().filter(isWanted) {
      guard !shouldStop() else { throw StepFailure.stopped }
      meter.tell(.finish, entityMapping: DestinationStore.name(of: statement))
      try onQueue { try self.database.execute(statement) }
      if let table = DestinationStore.table(ofIndex: statement) { indexedTables.insert(table) }
    }
  }

  private func constrain() throws {
    // In memory the tables have their constraints from the start.
    guard !isInMemory else { return }
    for table in try destination.openConstrainedTables() {
      guard !shouldStop() else { throw StepFailure.stopped }
      meter.tell(.finish, entityMapping: table.name)
      try onQueue { try self.destination.constrain(table) }
    }
  }

  func onQueue<Result>(_ body: @escaping () throws -> Result) throws -> Result {
    try queue.sync(execute: body)
  }

  /// Estimates the number of rows of a piece of work; if the rows are being counted in parallel, the count follows
  /// later.
  private func total(of work: Work) throws -> Int {
    guard case .chunks(let table, let key) = work.extent else { return 0 }
    return try input.source.estimatedRows(in: table, isJoinTable: key != "Z_PK")
  }

  private func takeCounts() {
    guard countsLater.contains(where: { $0 != nil }) else { return }
    for (index, table) in countsLater.enumerated() {
      guard let table, let rows = input.source.countedRows(in: table) else { continue }
      meter.take(total: rows, index: index)
      countsLater[index] = nil
    }
  }

  func run(_ work: Work, index: Int) throws {
    var state = try state(of: index)
    report.resumedChunks += state.chunks
    meter.enter(work, index: index, chunksDone: state.chunks, rowsDone: state.taken)
    while !state.isDone {
      guard !shouldStop() else { throw StepFailure.stopped }
      takeCounts()
      let next = state
      state = try onQueue { try self.chunk(of: work, index: index, from: next) }
      report.chunks += 1
    }
    meter.leave(index: index)
    if let table = work.joinTable { dangling[table, default: 0] += state.rows }
    if let finding = work.finding, state.rows > 0 { warnings.append(finding(state.rows)) }
  }

  /// True only if the piece's condition shows that there is nothing to do.
  ///
  /// The answer isn't recorded, so a resumed run asks again. Later work must not change the answer to false.
  private func hasNothing(to work: Work, index: Int) throws -> Bool {
    guard let condition = work.condition, work.extent == .whole, work.action == nil, work.count == nil,
      try !state(of: index).isDone
    else { return false }
    guard !shouldStop() else { throw StepFailure.stopped }
    meter.enter(work, index: index, chunksDone: 0, rowsDone: 0)
    guard try database.integer(condition) == 0 else { return false }
    meter.leave(index: index)
    return true
  }

  /// - Returns: `StepCounts.complete`.
  private func countRows() throws -> Set<String> {
    let counts = try input.program.count(in: database, of: input.source, dangling: dangling)
    report.entities = counts.entities
    report.joinRows = counts.joinRows
    report.inserted = counts.inserted
    return counts.complete
  }
}
