internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore
internal import DecantTransformers
internal import Foundation

/// The destination's objects during a step.
///
/// Values that policies set wait here until the batch is written. A query that may depend on waiting values first
/// writes them, within the chunk's transaction.
package final class DestinationRows: ContextRows {
  let layout: StoreLayout
  package let statements: RowStatements
  let keys: RowKeys
  package let book: AssociationBook
  let indexes: LookupIndexes
  private let database: SQLiteDatabase
  private let reader: RowSource
  let store: String
  /// The context of these rows, while the session lasts.
  var home: ManagedObjectContext?
  private let now: Double
  package let objects = ObjectTable()
  private let classes: [String: ManagedObject.Type]
  private var shapes: [String: EntityShape] = [:]
  private let archives: ArchiveScope
  var last: EntityShape?
  /// The shape that `present` used last, for a table with only one entity.
  var presented: EntityShape?
  let entities: [Int: String]
  /// The entities of tables with only one entity, by root entity.
  let alone: [String: String]
  var changed: [DestinationContents] = []
  /// The objects made or found for the current row; they are few, so a linear search is fast.
  // Changing the list runs no other code: code that removes an object also holds it, so no `deinit` runs.
  @exclusivity(unchecked) var recent: [ManagedObject] = []
  static let mostRecent = 8
  var waiting = WaitingRows()
  let writer: RowWriter
  /// Sets the relationships that wait (`RowSession.settle`).
  var settling: (() throws -> Void)?
  /// Whether new to-one references get their places in ordered inverses only when the step ends, in the order of the
  /// owners' keys.
  private(set) var leavesPlaces = false
  private var places: [PlaceKey: Int64] = [:]
  /// The key that the next new object keeps; `nil` for a newly assigned key.
  var keptKey: Int64?

  struct PlaceKey: Hashable {
    let table: String
    let column: String
    let owner: Int64

    init(_ link: EntityShape.Link, _ owner: DestinationContents) {
      table = link.storage.table
      column = link.column
      self.owner = owner.key
    }
  }

  init(
    _ database: SQLiteDatabase, plan: PassPlan, store: String, registry: PolicyRegistry, now: Double,
    archives: ArchiveScope
  ) throws {
    self.database = database
    self.archives = archives
    self.store = store
    self.now = now
    layout = plan.destination
    statements = RowStatements(database)
    writer = RowWriter(database)
    keys = RowKeys(database)
    book = try AssociationBook(database, plan: plan)
    indexes = LookupIndexes(database, layout: plan.destination)
    reader = RowSource(database: database, layout: plan.destination, schema: "main")
    classes = registry.classes(of: plan.destination.model)
    let layout = plan.destination
    alone = Dictionary(
      layout.tables.compactMap { table in
        let numbers = layout.entityNumbers(inFamilyOf: table.rootEntity)
        return numbers == [layout.entityNumbers[table.rootEntity] ?? 0]
          ? (table.rootEntity, table.rootEntity) : nil
      }, uniquingKeysWith: { first, _ in first })
    entities = Dictionary(
      plan.destination.entityNumbers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
    classes[entity.entity.name] ?? ManagedObject.self
  }

  func shape(of entity: String) throws -> EntityShape {
    if let known = shapes[entity] { return known }
    guard let description = home?.model.entitiesByName[entity],
      let shape = try EntityShape(
        entity, in: layout, now: now, description: description, objectClass: objectClass(of: description),
        archives)
    else { throw PolicyProblem.unknownEntity(entity) }
    shapes[entity] = shape
    return shape
  }

  func unknown(_ key: String, of entity: String) -> PolicyProblem {
    .unknownKey(
      entity: entity, side: "destination", key: key, known: layout.model.propertyNames(of: entity))
  }

  // MARK: Fetching

  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject] {
    try settling?()
    try flush()
    return try RowFetch(query, layout: layout, schema: "main").keys(in: database, reader).compactMap { found in
      guard let root = layout.model.root(of: found.entity)?.name else { return nil }
      return try object(RowKey(root: root, key: found.key), entity: found.entity, in: context)
    }
  }

  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int {
    try settling?()
    try flush()
    return try RowFetch(query, layout: layout, schema: "main").keys(in: database, reader).count
  }

  // MARK: Rows

  func note(changed contents: DestinationContents) { changed.append(contents) }

  /// The rows that were read in this batch; other code may change them after the batch.
  private var read: [DestinationContents] = []

  func note(read contents: DestinationContents) { read.append(contents) }

  /// The number of bytes of the binary values that were set in this batch.
  package private(set) var pendingBytes = 0

  func note(bytes: Int) { pendingBytes += bytes }

  var hasChanges: Bool { !recent.isEmpty || !waiting.isEmpty || changed.contains(where: \.hasChanges) }

  /// The written row; large columns are NULL.
  func columns(of contents: DestinationContents) throws -> [SQLiteValue] {
    try flush()
    let shape = contents.shape
    let columns = shape.table.columns.enumerated().map { index, column in
      shape.large.contains(index) ? "NULL" : quoted(column.name)
    }
    let rows = try statements.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM main.\(quoted(shape.table.name)) WHERE Z_PK = ?",
      [.integer(contents.key)])
    guard let row = rows.first else { throw PolicyProblem.deletedObject("\(shape.entity)/p\(contents.key)") }
    return row
  }

  func column(_ index: Int, of contents: DestinationContents) throws -> SQLiteValue {
    try flush()
    let shape = contents.shape
    var selected = quoted(shape.table.columns[index].name)
    for case .attribute(let stored) in shape.places.values where stored.index == index {
      selected = stored.column.selected
    }
    return try statements.first(
      "SELECT \(selected) FROM main.\(quoted(shape.table.name)) WHERE Z_PK = ?", [.integer(contents.key)])
      ?? .null
  }

  func flush() throws {
    gather()
    try writer.write(waiting)
  }

  /// Adds to `waiting` the values that were set in objects that may still be referenced.
  private func gather() {
    promote()
    for contents in changed where contents.hasChanges && !contents.isDeleted {
      contents.put(into: waiting)
      contents.wrote()
    }
    changed.removeAll(keepingCapacity: true)
  }

  /// Releases the batch's objects and hands the values that were set to the writer.
  ///
  /// Associations wait for the chunk's end if possible.
  package func endBatch() throws {
    gather()
    waiting = try writer.hand(over: waiting)
    if !book.canWait { try book.endBatch() }
    pendingBytes = 0
    places = [:]
    objects.release { object in (object.contents as? DestinationContents)?.settle() }
    for contents in read { contents.settle() }
    read.removeAll(keepingCapacity: true)
  }

  /// Writes the chunk's values, associations and next keys.
  package func endChunk() throws {
    try flush()
    try book.endBatch()
    try keys.write()
  }

  /// - Throws: `PolicyProblem.notRunning` if the step has ended and a policy still uses an object.
  func checkRunning() throws(PolicyProblem) {
    guard home != nil else { throw .notRunning("the destination context") }
  }

  /// Releases all objects; values that aren't written are lost.
  func releaseObjects() {
    changed = []
    read = []
    recent = []
    waiting.removeAll()
    for shape in shapes.values { (shape.idle, shape.spare) = (nil, nil) }
    home = nil
    objects.release { _ in }
  }

  /// The source keys, with their mapping, that lost their last object since the last call of `takeDeletedSources`.
  var deletedSources: [(mapping: Int, source: Int64)] = []

  func takeDeletedSources() -> [(mapping: Int, source: Int64)] {
    defer { deletedSources = [] }
    return deletedSources
  }

  /// The number of pairs that were removed or replaced since the last call of `takeDisplaced`.
  private var displaced = 0

  func noteDisplaced() { displaced += 1 }

  func takeDisplaced() -> Int {
    defer { displaced = 0 }
    return displaced
  }

  func takeMade() -> [String: Int] {
    var made: [String: Int] = [:]
    for shape in shapes.values where shape.made != 0 {
      made[shape.entity] = shape.made
      shape.made = 0
    }
    return made
  }

  /// Sets relationships as statements do, without places in ordered inverses.
  func leavingPlaces(_ work: () throws -> Void) rethrows {
    let former = leavesPlaces
    leavesPlaces = true
    defer { leavesPlaces = former }
    try work()
  }

  /// The next ordering key among the members of an owner, for an ordered relationship.
  ///
  /// Members without an ordering key first get keys, in the order of their primary keys.
  func nextPlace(_ link: EntityShape.Link, of owner: DestinationContents) throws -> Int64 {
    let place = PlaceKey(link, owner)
    var last = places[place]
    if last == nil, let order = link.orderColumn, owner.mayHaveMembers(link.relationship.name) {
      try flush()
      try indexes.make(link.storage.table, link.storage.owner)
      let (table, key) = ("main.\(quoted(link.storage.table))", SQLiteValue.integer(owner.key))
      let members = "FROM \(table) WHERE \(quoted(link.storage.owner)) = ?1"
      func greatest() throws -> Int64? {
        try statements.first("SELECT max(\(quoted(order))) \(members)", [key])?.integer
      }
      last = try greatest()
      let unplaced = "\(members) AND \(quoted(order)) IS NULL"
      if try statements.first("SELECT 1 \(unplaced)", [key]) != nil {
        let number = "row_number() OVER (ORDER BY \(quoted(link.storage.target)))"
        try statements.run(
          "UPDATE \(table) SET \(quoted(order)) = x.place FROM (SELECT rowid AS row, "
            + "\(OrderingKeys.key(number: number, after: "?2")) AS place \(unplaced)) AS x "
            + "WHERE \(table).rowid = x.row", [key, .integer(last ?? OrderingKeys.beforeFirst)])
        last = try greatest()
      }
    }
    let next = (last ?? OrderingKeys.beforeFirst) + OrderingKeys.step
    places[place] = next
    return next
  }

  func note(last place: Int64, _ link: EntityShape.Link, of owner: DestinationContents) {
    places[PlaceKey(link, owner)] = place
  }

  /// Notes that an owner has a member without a place.
  func noteUnplaced(_ link: EntityShape.Link, of owner: DestinationContents) {
    if link.orderColumn != nil { places[PlaceKey(link, owner)] = nil }
  }
}
