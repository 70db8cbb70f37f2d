internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import Foundation
internal import PredicateFormat

/// The row path of a step that runs: its manager, its contexts, its policies.
///
/// Everything happens on the queue of the destination, one chunk after the other.
final class RowSession {
  let plan: PassPlan
  let manager: MigrationManager
  let source: SourceRows
  let destination: DestinationRows
  let registry: PolicyRegistry
  let database: SQLiteDatabase
  let counts: RowCounts
  let now: Double
  /// What the identifiers of `uuid()` derive from.
  let job: String
  /// The family's folder.
  let folder: String
  /// Told of what is at work; `nil` where nobody asks.
  let placeRecorder: WorkPlace.Recorder?
  /// What is told of the work at hand, up to the object.
  // Whoever is told of it has no session.
  @exclusivity(unchecked) var note: [UInt8] = []
  /// How much of it all objects have in common.
  var noteHead = 0
  /// The entity of the last object that was told of, and what objects of it have in common.
  var notedEntity: ObjectIdentifier?
  var notedHead = 0
  let isStopped: @Sendable () -> Bool
  let links: ProgramLinks
  /// The programs that run, by mapping.
  var programs: [Int: PolicyProgram] = [:]
  /// Links of programs that led to nothing in the end.
  var lostLinks = 0
  let mappings: [Int: MigrationEntityMapping]
  private let passes: [MigrationMappingModel]
  private var compiled: [Int: RowMapping] = [:]
  /// The one that was asked for last.
  private var compiledLast: RowMapping?
  private var readings: [Int: RowReader] = [:]
  /// The source once more, for rows that are read ahead.
  private let ahead: SQLiteDatabase
  private let planned: [Int: PassPlan.Mapping]
  /// The roots of the mappings' source entities.
  let sourceRoots: [Int: String]
  var policies: [Int: EntityMigrationPolicy] = [:]
  /// The entity mapping that is at work, and the root of its source entity.
  private(set) var atWork: MigrationEntityMapping?
  private(set) var rootAtWork: String?
  /// Mappings whose policies can't go on in another process, from begin to end.
  var stateful: Set<Int> = []
  /// The row that is at work in the create stage.
  var current: (source: ManagedObject, key: Int64)?
  /// Whether an object has kept that row's key.
  var hasUsedKey = false
  /// Whether that row has no value to be unique by.
  var hasNothingToBeUniqueBy = false
  /// What waits in the relate stage.
  var deferred: Deferred?
  /// The object that the policy has before it, until it waits.
  var presented: ManagedObject?
  /// The statements that relate a mapping's objects; `nil` within where there are none.
  var lateLinks: [Int: LateLinks?] = [:]
  /// Whether anybody has looked at a relationship or changed one since a policy was asked to go on.
  var isTouchedInResume = false
  let targets: TargetLookup
  /// Pairs that gave way to what relationship mappings say, since the last look.
  private var displaced = 0

  /// - Parameters:
  ///   - models: The mapping models, one a pass.
  ///   - manager: Whose contexts get the step's rows.
  ///   - stores: The UUIDs of the source and destination, for object IDs.
  init(
    _ plan: PassPlan, models: [MappingModel], registry: PolicyRegistry, manager: MigrationManager,
    store: String, database: SQLiteDatabase, reading: SQLiteDatabase, ahead: SQLiteDatabase,
    targets: TargetLookup, now: Double, job: String, folder: String,
    placeRecorder: WorkPlace.Recorder?, isStopped: @escaping @Sendable () -> Bool
  ) throws {
    self.plan = plan
    self.registry = registry
    self.database = database
    self.ahead = ahead
    self.now = now
    self.job = job
    self.manager = manager
    self.folder = folder
    self.targets = targets
    self.placeRecorder = placeRecorder
    self.isStopped = isStopped
    counts = RowCounts(database)
    links = ProgramLinks(database)
    var first = 1
    var passes: [MigrationMappingModel] = []
    for model in models {
      passes.append(MigrationMappingModel(model, first: first))
      first += model.entityMappings.count
    }
    self.passes = passes
    mappings = Dictionary(
      passes.flatMap(\.entityMappings).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    planned = Dictionary(plan.mappings.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    sourceRoots = planned.mapValues(\.sourceTable.rootEntity)
    source = SourceRows(
      reading, layout: plan.source, store: store, registry: registry, home: manager.sourceContext)
    destination = try DestinationRows(database, plan: plan, store: store, registry: registry, now: now)
    destination.home = manager.destinationContext
    manager.sourceContext.attach(source)
    manager.destinationContext.attach(destination)
    manager.session = self
    destination.settling = { [unowned self] in try settle() }
  }

  /// Ends the manager's access to the step's rows.
  func close() {
    policies = [:]
    programs = [:]
    current = nil
    presented = nil
    // They share a connection, on which nothing may be going on while their statements end.
    for reading in readings.values { reading.end(ahead) }
    readings = [:]
    destination.settling = nil
    source.letGo()
    destination.letGo()
    manager.sourceContext.attach(nil)
    manager.destinationContext.attach(nil)
    manager.session = nil
  }

  func planned(_ number: Int) -> PassPlan.Mapping? { planned[number] }

  func compiled(_ number: Int) throws -> RowMapping {
    if let compiledLast, compiledLast.number == number { return compiledLast }
    if let known = compiled[number] {
      compiledLast = known
      return known
    }
    guard let mapping = planned(number) else { throw PolicyProblem.unknownMapping("\(number)") }
    let made = RowMapping(plan, mapping, shape: try destination.shape(of: mapping.destination))
    compiled[number] = made
    return made
  }

  /// Reads the source rows of a mapping.
  func reading(_ compiled: RowMapping) throws(SQLiteError) -> RowReader {
    let mapping = compiled.mapping
    if let known = readings[mapping.number] { return known }
    let made = RowReader(
      try source.reader.batches(
        of: mapping.source, table: mapping.sourceTable.name, where: "s.Z_ENT = \(mapping.sourceNumber)",
        flag: compiled.condition, limit: Self.batch, in: ahead))
    readings[mapping.number] = made
    return made
  }

  // MARK: Actions

  /// Whether what was done must not be committed yet, because a policy holds what a later process wouldn't have.
  var holdsCommits: Bool {
    !stateful.isEmpty || !(manager.userInfo?.isEmpty ?? true)
      || [manager.sourceContext, manager.destinationContext].contains { $0.userInfo.count > 0 }
  }

  /// Does one piece of work for the source rows of a chunk.
  ///
  /// - Parameters:
  ///   - lower: Exclusive.
  ///   - upper: Inclusive.
  ///   - beat: Called after each batch.
  /// - Throws: `StepFailure.policy`, `SQLiteError`.
  func perform(_ action: RowAction, after lower: Int64, upTo upper: Int64, beat: () -> Void) throws {
    guard let number = action.mapping else {
      try linkLate()
      try endChunk()
      for statement in try LookupIndexes.removal(in: database) { try database.execute(statement) }
      return
    }
    guard let mapping = mappings[number], let planned = planned(number) else { return }
    destination.book.takeUp()
    manager.currentEntityMapping = mapping
    (atWork, rootAtWork) = (mapping, sourceRoots[number])
    if passes.indices.contains(planned.pass) { manager.mappingModel = passes[planned.pass] }
    defer { placeRecorder?(WorkPlace.nowhere, 0) }
    begin(mapping, action)
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

  /// Lets go of a batch's objects; what was set goes to the writer.
  func endBatch() throws {
    try destination.endBatch()
    source.release()
    try countUndone(but: nil, mapping: 0)
  }

  /// Writes everything that is to be committed with the chunk.
  func endChunk() throws {
    try endBatch()
    try destination.endChunk()
    for (entity, rows) in destination.takeMade() { try counts.add(made: rows, of: entity) }
  }

  /// - Parameter source: A row whose account is still open.
  func countUndone(but source: Int64?, mapping: Int) throws {
    if destination.undone.isEmpty { return }
    for item in destination.takeUndone() where item.source != source || item.mapping != mapping {
      try counts.add(1, RowCounts.deleted, mapping: item.mapping)
    }
  }

  /// Calls a policy and throws what it threw or did that can't be, with its name and the object.
  func calling(
    _ policy: EntityMigrationPolicy, _ action: RowAction, _ object: ManagedObject?, _ work: () throws -> Void
  ) throws {
    do {
      note(object)
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

  /// Counts what gives way to a relationship mapping; what a policy changes by itself is its own matter.
  func countingDisplaced(_ work: () throws -> Void) rethrows {
    _ = destination.takeDisplaced()
    try work()
    displaced += destination.takeDisplaced()
  }

  /// Source rows of which so many objects are held at once.
  static let batch = 1000
  /// Bytes of large values after which a batch ends before its rows do.
  static let batchBytes = 8 << 20
}
