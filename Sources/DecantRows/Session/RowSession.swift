package import DecantMapping
internal import DecantModel
package import DecantPasses
package import DecantPolicies
internal import DecantPolicyPrograms
package import DecantReport
package import DecantSQLite
internal import DecantTransformers
internal import Foundation
internal import PredicateFormat

/// The row-by-row work of a running step, with its manager, its contexts and its policies.
///
/// All work runs on the step's own queue, one chunk after the other.
package final class RowSession: PolicyRuntime {
  let plan: PassPlan
  let manager: MigrationManager
  package let source: SourceRows
  package let destination: DestinationRows
  let registry: PolicyRegistry
  let database: SQLiteDatabase
  let counts: RowCounts
  let now: Double
  /// The input of `uuid` and `random` (`JobIdentity`).
  let job: String
  let folder: String
  let place: PlaceNote
  /// What this session has learned from the store's archives.
  private let archives = ArchiveScope()
  let isStopped: @Sendable () -> Bool
  let links: ProgramLinks
  var programs: [Int: PolicyProgram] = [:]
  /// The number of programs' links that can't be set, because an owner or target doesn't exist.
  var lostLinks = 0
  let mappings: RowMappings
  var policies: [Int: EntityMigrationPolicy] = [:]
  /// The unfinished mappings whose policies can't be resumed in another process.
  var stateful: Set<Int> = []
  var current: CurrentRow?
  var deferred: Deferred?
  /// The object that the policy gets now; `nil` after the object has begun to wait.
  var presented: ManagedObject?
  /// The statements that relate a mapping's objects; the inner `nil` means that there are none.
  var lateLinks: [Int: LateLinks?] = [:]
  /// Whether a relationship has been read or changed since a policy was resumed.
  var isTouchedInResume = false
  let targets: TargetLookup
  /// The number of pairs that relationship mappings removed or replaced since the last call of `takeDisplaced`.
  private var displaced = 0

  /// - Parameters:
  ///   - models: The mapping models, one for each pass.
  ///   - shown: The mapping models of a program that runs the migration itself, which policies see (`DirectCall`).
  ///     Empty if no program does so.
  ///   - manager: The manager whose contexts get the step's rows.
  ///   - store: The store's UUID, for object IDs.
  ///   - evaluates: Whether to evaluate values that SQL could compute too.
  package init(
    _ plan: PassPlan, models: [MappingModel], shown: [MigrationMappingModel] = [], registry: PolicyRegistry,
    manager: MigrationManager, store: String, database: SQLiteDatabase, reading: SQLiteDatabase,
    ahead: SQLiteDatabase,
    targets: TargetLookup, now: Double, job: String, folder: String,
    placeRecorder: WorkPlace.Recorder?, evaluates: Bool = false, isStopped: @escaping @Sendable () -> Bool
  ) throws {
    self.plan = plan
    self.registry = registry
    self.database = database
    self.now = now
    self.job = job
    self.manager = manager
    self.folder = folder
    self.targets = targets
    place = PlaceNote(placeRecorder)
    self.isStopped = isStopped
    counts = RowCounts(database)
    links = ProgramLinks(database)
    mappings = RowMappings(plan, models: models, own: shown, evaluates: evaluates, ahead: ahead)
    source = SourceRows(
      reading, layout: plan.source, store: store, registry: registry, home: manager.sourceContext,
      archives: archives)
    destination = try DestinationRows(
      database, plan: plan, store: store, registry: registry, now: now,
      archives: archives)
    destination.home = manager.destinationContext
    archives.archives = { [unowned source] body in source.eachArchive(body) }
    manager.sourceContext.attach(source)
    manager.destinationContext.attach(destination)
    manager.runtime = self
    destination.settling = { [unowned self] in try settle() }
  }

  /// Ends the manager's access to the step's rows.
  package func close() {
    policies = [:]
    programs = [:]
    current = nil
    presented = nil
    mappings.close()
    destination.settling = nil
    source.releaseObjects()
    destination.releaseObjects()
    manager.sourceContext.attach(nil)
    manager.destinationContext.attach(nil)
    manager.runtime = nil
  }

  func planned(_ number: Int) -> PassPlan.Mapping? { mappings.planned(number) }

  package func compiled(_ number: Int) throws -> RowMapping { try mappings.compiled(number) }

  package func reading(_ compiled: RowMapping) throws(SQLiteError) -> RowReader {
    try mappings.reader(compiled, from: source, limit: BatchSize.rows)
  }

  // MARK: Actions

  /// Whether the work can't be committed yet, because a policy, the manager's `userInfo` or a context's `userInfo` has
  /// a state that a later process wouldn't have.
  var holdsCommits: Bool {
    !stateful.isEmpty || !(manager.userInfo?.isEmpty ?? true)
      || [manager.sourceContext, manager.destinationContext].contains { $0.userInfo.count > 0 }
  }

  /// Performs one piece of work for the source rows of a chunk.
  ///
  /// - Parameters:
  ///   - lower: The lower bound of the source keys, exclusive.
  ///   - upper: The upper bound of the source keys, inclusive.
  ///   - beat: Called after each batch.
  /// - Throws: `StepFailure`, `PolicyProblem`, `SQLiteError`.
  func perform(_ action: RowAction, after lower: Int64, upTo upper: Int64, beat: () -> Void) throws {
    guard let number = action.mapping else {
      try linkLate()
      try endChunk()
      for statement in try LookupIndexes.removal(in: database) { try database.execute(statement) }
      return
    }
    guard let mapping = mappings[number], let planned = planned(number) else { return }
    begin(mapping, planned)
    defer { place.end() }
    place.begin(mapping, action, pass: manager.mappingModel.name)
    if case .program(let words)? = mapping.mapping.policy {
      try perform(action, words, mapping, planned, after: lower, upTo: upper, beat: beat)
      try endChunk()
      return
    }
    let policy = try policy(of: mapping, isFirst: action == .begin(number))
    switch action {
    case .begin: try calling(policy, action, nil) { try policy.begin(mapping, with: manager) }
    case .create: try create(policy, mapping, after: lower, upTo: upper, beat: beat)
    case .endCreation:
      try calling(policy, action, nil) { try policy.endInstanceCreation(forMapping: mapping, manager: manager) }
    case .relate: try relate(policy, mapping, after: lower, upTo: upper, beat: beat)
    case .pair(_, let place): try pair(place, of: planned, policy, after: lower, upTo: upper)
    case .endRelations:
      try calling(policy, action, nil) {
        try policy.endRelationshipCreation(forMapping: mapping, manager: manager)
      }
    case .validate:
      try calling(policy, action, nil) {
        try policy.performCustomValidation(forMapping: mapping, manager: manager)
      }
    case .end: try calling(policy, action, nil) { try policy.end(mapping, manager: manager) }
    case .finish: break
    }
    try endChunk()
    try keepState(of: policy, number, isOver: action == .end(number))
  }

  /// Makes an entity mapping of the plan the current entity mapping.
  package func begin(_ planned: PassPlan.Mapping) {
    if let mapping = mappings[planned.number] { begin(mapping, planned) }
  }

  private func begin(_ mapping: MigrationEntityMapping, _ planned: PassPlan.Mapping) {
    destination.book.takeUp()
    manager.runningMapping = mapping
    if let model = mappings.begin(mapping, pass: planned.pass) { manager.mappingModel = model }
  }

  /// Releases a batch's objects; the set values go to the writer.
  package func endBatch() throws {
    try destination.endBatch()
    source.release()
    try countDeletedSources(except: nil, mapping: 0)
  }

  /// Writes everything that must be committed with the chunk.
  func endChunk() throws {
    try endBatch()
    try destination.endChunk()
    for (entity, rows) in destination.takeMade() { try counts.add(made: rows, of: entity) }
  }

  /// Counts the source rows that have lost their last object.
  ///
  /// - Parameter source: The current source key, which isn't counted here: if the row has lost its object, `create`
  ///   counts the row as left out. `nil` to count all rows.
  func countDeletedSources(except source: Int64?, mapping: Int) throws {
    if destination.deletedSources.isEmpty { return }
    for item in destination.takeDeletedSources() where item.source != source || item.mapping != mapping {
      try counts.add(1, RowCounts.deleted, mapping: item.mapping)
    }
  }

  /// Calls a policy; adds the policy's name and the object to errors that the call throws or causes.
  func calling(
    _ policy: EntityMigrationPolicy, _ action: RowAction, _ object: ManagedObject?, _ work: () throws -> Void
  ) throws {
    do {
      place.note(object)
      archives.beginObject()
      try work()
      try manager.destinationContext.raise()
      try manager.sourceContext.raise()
    } catch let error as SQLiteError where !error.isFunctionError {
      throw error
    } catch {
      throw try failure(error, of: policy, action, object)
    }
  }

  // MARK: Counts

  func takeDisplaced() -> Int {
    defer { displaced = 0 }
    return displaced
  }

  /// Counts the pairs that a relationship mapping removes or replaces; a policy's own changes don't count.
  func countingDisplaced(_ work: () throws -> Void) rethrows {
    _ = destination.takeDisplaced()
    try work()
    displaced += destination.takeDisplaced()
  }

  static func name(ofProgram words: [String]) -> String { "program \(words.joined(separator: " "))" }
}
