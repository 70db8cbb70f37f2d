internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// The destination's objects during a step: what policies set waits here until the batch is written.
///
/// The working file is the truth for everything else: whoever wants to know more than one row has the batch written
/// first, within the chunk's transaction.
final class DestinationRows: ContextRows {
  let layout: StoreLayout
  let statements: RowStatements
  let keys: RowKeys
  let book: AssociationBook
  let indexes: LookupIndexes
  private let database: SQLiteDatabase
  private let reader: RowSource
  let store: String
  /// The context whose rows these are, while the session lasts.
  var home: ManagedObjectContext?
  private let now: Double
  private let objects = ObjectTable()
  private let classes: [String: ManagedObject.Type]
  private var shapes: [String: EntityShape] = [:]
  /// The one of which the last object was made.
  private var last: EntityShape?
  private let entities: [Int: String]
  /// The entities that are alone in their families, by their roots.
  private let alone: [String: String]
  private var changed: [DestinationContents] = []
  /// The objects made for the row at work; few, so that they are looked through.
  private var recent: [ManagedObject] = []
  private static let mostRecent = 8
  /// The rows of objects that nobody holds any more.
  private var waiting: [RowWriter.Row] = []
  let writer: RowWriter
  /// Called before a relationship is looked at or changed, and before rows are looked for.
  var settling: (() throws -> Void)?
  private var places: [PlaceKey: Int64] = [:]
  /// The key that the next new object gets in place of a drawn one.
  var keptKey: Int64?

  /// The owner of an ordered relationship.
  struct PlaceKey: Hashable {
    let table: String
    let column: String
    let owner: Int64
  }

  init(
    _ database: SQLiteDatabase, plan: PassPlan, store: String, registry: PolicyRegistry, now: Double
  ) throws {
    self.database = database
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
        entity, in: layout, now: now, description: description, objectClass: objectClass(of: description))
    else { throw PolicyProblem.unknownEntity(entity) }
    shapes[entity] = shape
    return shape
  }

  func unknown(_ key: String, of entity: String) -> PolicyProblem {
    .unknownKey(entity: entity, key: key, near: NearName.of(key, among: layout.model.propertyNames(of: entity)))
  }

  // MARK: Objects

  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents {
    if let last, last.description === entity { return try contents(ofNew: last) }
    let name = entity.entity.name
    let shape = try shape(of: name)
    guard entity === shape.description else {
      throw PolicyProblem.foreignObject(
        object: "entity “\(name)” of the new object", what: "one of another model; take the destination's")
    }
    guard !entity.isAbstract else { throw PolicyProblem.abstractEntity(name) }
    last = shape
    return try contents(ofNew: shape)
  }

  private func contents(ofNew shape: EntityShape) throws -> DestinationContents {
    let key = try keptKey ?? keys.take(shape.rootNumber)
    keptKey = nil
    return made(shape, key: key, isNew: true)
  }

  private func made(_ shape: EntityShape, key: Int64, isNew: Bool) -> DestinationContents {
    guard let known = shape.idle.take() else {
      return DestinationContents(shape, key: key, isNew: isNew, rows: self)
    }
    known.reuse(key: key, isNew: isNew)
    return known
  }

  func adopt(_ object: ManagedObject) {
    guard let contents = object.contents as? DestinationContents else { return }
    if recent.count == Self.mostRecent { promote() }
    recent.append(object)
    contents.shape.made += 1
  }

  /// Looks through what has been made for a row: of what nobody holds only the values stay, until they are written.
  func retire() {
    for index in recent.indices {
      guard let contents = recent[index].contents as? DestinationContents else { continue }
      guard contents.isInserted || !contents.hasChanges, isKnownUniquelyReferenced(&recent[index]) else {
        hold(recent[index], contents)
        continue
      }
      if contents.isInserted {
        waiting.append(
          .init(shape: contents.shape, key: contents.key, isNew: true, slots: contents.takeSlots()))
      }
      contents.shape.idle = contents
    }
    recent.removeAll(keepingCapacity: true)
  }

  private func hold(_ object: ManagedObject, _ contents: DestinationContents) {
    guard !contents.isDeleted else { return }
    objects.add(object, at: contents.place)
    if contents.hasChanges { changed.append(contents) }
  }

  /// Keeps the objects that were made last, as all others that somebody may ask for.
  private func promote() {
    for object in recent {
      if let contents = object.contents as? DestinationContents { hold(object, contents) }
    }
    recent.removeAll(keepingCapacity: true)
  }

  /// The object of a row, where there is one in memory.
  private func known(_ place: RowKey) -> ManagedObject? {
    for object in recent where object.contents.key == place.key {
      if (object.contents as? DestinationContents)?.place == place { return object }
    }
    return objects[place]
  }

  func insert(_ object: ManagedObject) throws {
    let contents = try contents(ofNew: object.entity)
    let detached = object.contents as? DetachedContents
    object.contents = contents
    adopt(object)
    guard let values = detached?.values, !values.isEmpty else { return }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try contents.setValue(value, forKey: key) }
  }

  /// The object of a row that is there.
  func object(_ place: RowKey, entity: String, in context: ManagedObjectContext) throws -> ManagedObject? {
    if let object = known(place) { return object }
    let shape = try shape(of: entity)
    let object = context.object(
      of: shape.description, as: shape.objectClass, contents: made(shape, key: place.key, isNew: false))
    objects.add(object, at: place)
    return object
  }

  /// The object of a row, whatever entity of the family it is of; `nil` where there is none.
  func object(_ place: RowKey, in context: ManagedObjectContext) throws -> ManagedObject? {
    if let object = known(place) { return object.isDeleted ? nil : object }
    try flush()
    guard let table = layout.table(of: place.root) else { return nil }
    let number = try statements.first(
      "SELECT Z_ENT FROM main.\(quoted(table.name)) WHERE Z_PK = ?", [.integer(place.key)])
    guard let entity = number?.integer.flatMap({ entities[Int(clamping: $0)] }) else { return nil }
    return try object(place, entity: entity, in: context)
  }

  /// The object of an associated row that is about to be at work, until it is retired.
  func present(_ place: RowKey) throws -> ManagedObject? {
    if let object = known(place) { return object.isDeleted ? nil : object }
    guard let home, let alone = alone[place.root] else {
      return try home.flatMap { try self.object(place, in: $0) }
    }
    let shape = try shape(of: alone)
    let object = home.object(
      of: shape.description, as: shape.objectClass, contents: made(shape, key: place.key, isNew: false))
    if recent.count == Self.mostRecent { promote() }
    recent.append(object)
    return object
  }

  /// The object of a row that is associated with a source object: it is there.
  func object(associated place: RowKey, in context: ManagedObjectContext) throws -> ManagedObject? {
    if let object = known(place) { return object.isDeleted ? nil : object }
    guard let alone = alone[place.root] else { return try object(place, in: context) }
    return try object(place, entity: alone, in: context)
  }

  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject? {
    guard let root = layout.model.root(of: entity)?.name else { return nil }
    return try object(RowKey(root: root, key: key), in: context)
  }

  func delete(_ object: ManagedObject) throws {
    guard let contents = object.contents as? DestinationContents, contents.rows === self else {
      throw PolicyProblem.foreignObject(object: "\(object.objectID)", what: "no object of the destination")
    }
    guard !contents.isDeleted else { return }
    try settling?()
    for case .link(let link) in contents.shape.places.sorted(by: { $0.key < $1.key }).map(\.value) {
      if link.relationship.isToMany {
        try removeMembers(link, of: contents)
      } else {
        try setTarget(nil, link, of: contents)
      }
    }
    for (mapping, sources) in try book.forget(contents.place) {
      for source in sources { undone.append((mapping, source)) }
    }
    if !contents.isInserted {
      try flush()
      try statements.run(
        "DELETE FROM main.\(quoted(contents.shape.table.name)) WHERE Z_PK = ?", [.integer(contents.key)])
    }
    contents.shape.made -= 1
    contents.deleted()
    objects.remove(contents.place)
  }

  /// The contents of an object that a relationship is to lead to.
  func contents(of object: ManagedObject, for key: String, _ entity: String) throws -> DestinationContents {
    guard let contents = object.contents as? DestinationContents, contents.rows === self else {
      let what =
        object.contents is SourceContents
        ? "a source object; “\(entity).\(key)” leads to destination objects" : "in no context of this migration"
      throw PolicyProblem.foreignObject(object: "\(object.objectID)", what: what)
    }
    guard !contents.isDeleted else { throw PolicyProblem.deletedObject("\(object.objectID)") }
    guard let relationship = layout.model.relationship(key, of: entity),
      layout.model.isKind(contents.shape.entity, of: relationship.destinationEntityName)
    else {
      throw PolicyProblem.wrongEntity(
        entity: entity, property: key, found: "an object of “\(contents.shape.entity)”",
        wanted: layout.model.relationship(key, of: entity)?.destinationEntityName ?? "")
    }
    return contents
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

  /// Bytes of large values that wait for the end of the batch.
  private(set) var pendingBytes = 0

  func note(bytes: Int) { pendingBytes += bytes }

  var hasChanges: Bool { !recent.isEmpty || !waiting.isEmpty || changed.contains(where: \.hasChanges) }

  /// The written row, large columns left NULL.
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

  /// Writes what was set; objects stay as they are.
  func flush() throws { try writer.write(takeRows()) }

  /// What was set and isn't written yet.
  private func takeRows() -> [RowWriter.Row] {
    promote()
    for contents in changed where contents.hasChanges && !contents.isDeleted {
      let isNew = contents.isInserted
      waiting.append(
        .init(shape: contents.shape, key: contents.key, isNew: isNew, slots: contents.takeSlots()))
      contents.wrote()
    }
    changed.removeAll(keepingCapacity: true)
    return takeWaiting()
  }

  private func takeWaiting() -> [RowWriter.Row] {
    defer { waiting = [] }
    return waiting
  }

  /// Lets go of the batch's objects, and has written what was set; associations wait for the chunk where they can.
  func endBatch() throws {
    try writer.hand(over: takeRows())
    if !book.canWait { try book.endBatch() }
    pendingBytes = 0
    places = [:]
    objects.release { object in (object.contents as? DestinationContents)?.settle() }
  }

  /// Writes everything.
  func endChunk() throws {
    try flush()
    try book.endBatch()
    try keys.write()
  }

  /// - Throws: `PolicyProblem.notRunning` when the step has ended, for those who have kept an object.
  func checkRunning() throws(PolicyProblem) {
    guard home != nil else { throw .notRunning("the destination context") }
  }

  /// Lets go of all objects; what was set and not written is lost.
  func letGo() {
    changed = []
    recent = []
    waiting = []
    for shape in shapes.values { shape.idle = nil }
    home = nil
    objects.release { _ in }
  }

  /// Source keys of which a mapping has nothing any more, because policies deleted it, since the last look.
  private var undone: [(mapping: Int, source: Int64)] = []

  func takeUndone() -> [(mapping: Int, source: Int64)] {
    defer { undone = [] }
    return undone
  }

  /// Pairs that were set and are something else now, since the last look.
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

  /// The next place among the members of an ordered relationship's owner: 2048 + 1024 n (core-data-sqlite.md 7,
  /// “Ordering keys”).
  func nextPlace(_ link: EntityShape.Link, of owner: DestinationContents) throws -> Int64 {
    let place = PlaceKey(table: link.storage.table, column: link.column, owner: owner.key)
    var last = places[place]
    if last == nil, let order = link.orderColumn, owner.mayHaveMembers(link.relationship.name) {
      try flush()
      try indexes.make(link.storage.table, link.storage.owner)
      last =
        try statements.first(
          "SELECT max(\(quoted(order))) FROM main.\(quoted(link.storage.table)) WHERE "
            + "\(quoted(link.storage.owner)) = ?", [.integer(owner.key)])?.integer
    }
    let next = (last ?? 1024) + 1024
    places[place] = next
    return next
  }

  func note(last place: Int64, _ link: EntityShape.Link, of owner: DestinationContents) {
    places[PlaceKey(table: link.storage.table, column: link.column, owner: owner.key)] = place
  }
}
