internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
package import DecantPasses
package import DecantPolicies
package import DecantReport
package import DecantRows
package import DecantSQLite
package import DecantStore

/// The program of a step that runs mapping models.
package struct PassProgram: StepProgram {
  private let work: MappedWork
  package let digestParts: [String]
  package let keys: KeyAssignment? = KeyAssignment()
  private let targets: TargetLookup
  private let store: String
  /// `nil` if everything runs over sets of rows.
  let rows: RowPath?

  var plan: PassPlan { work.plan }
  var ways: [EntityMappingWork] { work.ways }
  package var filling: [Work] { work.filling }
  package var checking: [Work] { work.checking }
  package var source: StoreLayout { plan.source }
  package var destination: StoreLayout { plan.destination }
  package var passNames: [String] { plan.passes.map(\.name) }
  package var quarantine: Quarantine? { work.quarantine }
  package var pairQuestions: [PairQuestion] { work.pairQuestions }
  package var passPlan: PassPlan? { plan }
  /// A mapping that only relates row by row has made its objects as a set.
  package var keptMappings: [KeptMapping] {
    ways.map { way in
      plan.kept(
        way.mapping, way: way.creating.contains { $0.action == .create(way.mapping.number) } ? .rows : .set)
    }
  }
  package var workTables: [String: String] {
    [
      Associations.workTables, RowCounts.workTables, PolicyStates.workTables, ProgramLinks.workTables,
      quarantine == nil ? [:] : PassQuarantine.workTables,
    ].reduce(into: [:]) { $0.merge($1) { own, _ in own } }
  }

  /// - Parameters:
  ///   - policies: The classes that the mapping models name.
  ///   - manager: The migration manager of a program that runs the migration itself. If it is `nil`, the step makes a
  ///     manager.
  ///   - placeRecorder: Records the current object of row-by-row work.
  ///   - folder: The family's folder, which has the policy programs.
  ///   - store: The store's UUID, for object IDs and for the values of `uuid()`.
  package init(
    _ work: MappedWork, policies: PolicyRegistry, manager: DirectCall? = nil,
    placeRecorder: WorkPlace.Recorder? = nil, folder: String, store: String
  ) {
    self.work = work
    self.store = store
    let plan = work.plan
    targets = TargetLookup(blocks: Set(plan.mappings.filter(plan.isInBlocks).map { Int64($0.number) }))
    guard work.goesByRows else {
      (rows, digestParts) = (nil, [])
      return
    }
    rows = RowPath(
      plan, models: work.models, policies: policies, manager: manager, placeRecorder: placeRecorder,
      folder: folder, store: store)
    digestParts =
      work.models.map { "\($0)" } + [Executable.identity] + ProgramFiles.digestParts(of: plan, in: folder)
  }

  package func prepare(
    _ database: SQLiteDatabase, time: Double, reading: () throws -> SQLiteDatabase,
    isStopped: @escaping @Sendable () -> Bool
  ) throws {
    let job = JobIdentity.text(store: store, time: time)
    try ExpressionFunctions.register(in: database, now: time, job: job)
    try keys?.register(in: database)
    try targets.register(in: database)
    guard let rows else { return }
    let (source, ahead) = (try reading(), try reading())
    for connection in [source, ahead] {
      try ExpressionFunctions.register(in: connection, now: time, job: job)
    }
    // This connection reads each page once and in order, so it needs only a small cache.
    try ahead.execute("PRAGMA source.cache_size = -256")
    try rows.open(
      database, source: source, ahead: ahead, targets: targets, now: time, job: job,
      isStopped: isStopped)
  }

  package func close() {
    targets.close()
    rows?.close()
  }

  package var holdsCommits: Bool { rows?.holdsCommits ?? false }

  package func perform(
    _ action: RowAction, after lower: Int, upTo upper: Int, progress: Float, beat: () -> Void
  ) throws -> Int {
    try rows?.perform(action, after: lower, upTo: upper, progress: progress, beat: beat) ?? 0
  }

  package func contradictions(in database: SQLiteDatabase) throws(SQLiteError) -> [String] {
    #if DECANT_INVARIANTS
      try AssociationInvariants(plan, isBySets: rows == nil, in: database).findings()
    #else
      []
    #endif
  }

  /// Removes the values that `uniqueBy` has compared; they may be a tenth of all rows' bytes or more.
  package func forget(in database: SQLiteDatabase) throws(SQLiteError) {
    let tables = [Associations.values, Associations.claims, Associations.former]
    var isEmpty = true
    for table in tables where try database.integer("SELECT EXISTS (SELECT 1 FROM main.\(table))") > 0 {
      isEmpty = false
    }
    guard !isEmpty else { return }
    try RowCounts(database).addValues()
    for table in tables { try database.execute("DELETE FROM main.\(table)") }
  }

  package func validate(in database: SQLiteDatabase) throws -> [String] {
    try work.validation.warnings(in: database)
  }

  package func explained(
    _ error: SQLiteError, of work: Work, rows: ClosedRange<Int64>, in database: SQLiteDatabase
  ) throws -> any Error {
    if error.isFunctionError {
      let mapping = plan.mappings.first { $0.mapping.name == work.name && $0.pass == work.pass }
      if let mapping,
        let fault = try ExpressionFaultSearch(plan, mapping, database).fault(
          // In row-by-row work, statements select rows, and objects are made one by one.
          work.action == nil ? .making : .taking, after: rows.lowerBound, upTo: rows.upperBound)
      {
        return StepFailure.expression(fault)
      }
      return StepFailure.badValue(
        place: mapping.map(plan.words) ?? "Entity mapping “\(work.name)”", reason: error.message)
    }
    return error
  }

  package func marks(of store: SourceStore, in database: SQLiteDatabase) throws -> HighWaterMarks {
    var maxima: [String: Int] = [:]
    for table in destination.tables {
      guard let number = destination.entityNumbers[table.rootEntity] else { continue }
      maxima[table.rootEntity] =
        try database.integer(
          // If the last key was the largest integer, `next` is a double. Then the largest integer is the mark.
          "SELECT CASE typeof(next) WHEN 'integer' THEN next - 1 ELSE \(Int64.max) END "
            + "FROM main.\(Associations.keys) WHERE root = ? UNION ALL SELECT 0 LIMIT 1",
          [.integer(Int64(number))])
    }
    return try HighWaterMarks(source: store, maxima: maxima)
  }
}
