package import DecantExpressions
internal import DecantMapping
internal import DecantModel
package import DecantPolicies
package import DecantSQLite
package import DecantStore
internal import DecantTransformers
internal import Foundation
package import PredicateFormat

/// The objects of a store that is read: the source store during a step, or a store that a program has opened.
package final class SourceRows: ContextRows {
  let layout: StoreLayout
  let reader: RowSource
  let statements: RowStatements
  let store: String
  /// The context of these rows, while the session lasts.
  var home: ManagedObjectContext? { held ?? near }
  private var held: ManagedObjectContext?
  /// The context of an opened store; weak, because the context holds these rows.
  private weak var near: ManagedObjectContext?
  /// The file of an opened store; `nil` in a migration.
  private let file: String?
  private let database: SQLiteDatabase
  private let objects = ObjectTable()
  /// The object of the current row, until `objects` takes it.
  private var present: (place: RowKey, object: ManagedObject)?
  /// The shape of the current rows' objects; all of them come from one reading.
  private var atWork: (reading: RowBatches, shape: Shape)?
  /// The contents of the object in `present`; after that object is released, the next object uses them.
  private var contents: SourceContents?
  /// An object with the contents `contents` that is no longer referenced.
  private var spare: ManagedObject?
  /// The attributes whose values policies see as objects.
  let transformed: TransformedAttributes
  private var classes: [String: ManagedObject.Type]
  private var shapes: [String: Shape] = [:]

  private struct Shape {
    let description: EntityDescription
    let objectClass: ManagedObject.Type
  }

  init(
    _ database: SQLiteDatabase, layout: StoreLayout, store: String, registry: PolicyRegistry,
    home: ManagedObjectContext, archives: ArchiveScope
  ) {
    held = home
    file = nil
    statements = RowStatements(database)
    self.database = database
    self.layout = layout
    transformed = TransformedAttributes(layout.model, archives)
    self.store = store
    reader = RowSource(database: database, layout: layout, schema: "source")
    classes = registry.classes(of: layout.model)
  }

  /// The objects of a store that a program has opened.
  ///
  /// - Parameters:
  ///   - database: A connection to which the store is attached as `source`.
  ///   - store: The store's UUID.
  ///   - file: The store's path, for messages.
  ///   - home: The context, which isn't held.
  package init(
    _ database: SQLiteDatabase, layout: StoreLayout, store: String, file: String, registry: PolicyRegistry,
    opened home: ManagedObjectContext
  ) {
    near = home
    self.file = file
    statements = RowStatements(database)
    self.database = database
    self.layout = layout
    transformed = TransformedAttributes(layout.model, ArchiveScope())
    self.store = store
    reader = RowSource(database: database, layout: layout, schema: "source")
    classes = registry.classes(of: layout.model)
  }

  /// From now on, new objects have the classes of this registry; existing objects keep their classes.
  package func use(_ registry: PolicyRegistry) {
    classes = registry.classes(of: layout.model)
    shapes = [:]
  }

  package func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
    classes[entity.entity.name] ?? ManagedObject.self
  }

  private func shape(of entity: String) -> Shape? {
    if let known = shapes[entity] { return known }
    guard let description = home?.model.entitiesByName[entity] else { return nil }
    let made = Shape(description: description, objectClass: objectClass(of: description))
    shapes[entity] = made
    return made
  }

  /// The object of an existing row; `entity` must be the row's own entity.
  package func object(entity: String, key: Int64) -> ManagedObject? {
    guard let shape = shape(of: entity) else { return nil }
    return object(RowKey(root: shape.description.root, key: key), shape) {
      reader.object(entity: entity, key: key)
    }
  }

  func object(of row: RowObject) -> ManagedObject? {
    guard let shape = shape(of: row.entity) else { return nil }
    return object(RowKey(root: shape.description.root, key: row.key), shape) { row }
  }

  private func object(_ place: RowKey, _ shape: Shape, _ row: () -> RowObject) -> ManagedObject? {
    if let present, present.place == place { return present.object }
    if let object = objects[place] { return object }
    guard let home else { return nil }
    let object = home.object(
      of: shape.description, as: shape.objectClass, contents: SourceContents(row(), rows: self))
    objects.add(object, at: place)
    if file != nil {
      object.awakeFromFetch()
      // A context of an opened store may live long.
      if objects.count >= Self.mostHeld { objects.release { _ in } }
    }
    return object
  }

  private static let mostHeld = 4096

  /// Whether the objects are those of an opened store, whose transient attributes can be set.
  var isOpened: Bool { file != nil }

  /// The objects that other code holds; in a migration, the objects of the current batch, too.
  package func objectsInUse() -> [ManagedObject] {
    isOpened ? objects.inUse() : objects.all + (present.map { [$0.object] } ?? [])
  }

  /// Makes the object of a row the current object.
  ///
  /// Most policies don't keep the object, so its contents can serve the next object.
  package func present(_ row: Int, of batch: RowBatch, _ reading: RowBatches) -> ManagedObject? {
    leave()
    guard let home, let shape = shape(of: reading) else { return nil }
    let key = RowKey(root: shape.description.root, key: batch.key(row))
    if let object = objects[key] { return object }
    if let object = spare.take(), object.entity === shape.description, let contents {
      contents.reuse(row, of: batch, reading)
      object.reuse()
      present = (key, object)
      return object
    }
    let contents: SourceContents
    if let known = self.contents {
      known.reuse(row, of: batch, reading)
      contents = known
    } else {
      contents = SourceContents(row, of: batch, reading, rows: self)
      self.contents = contents
    }
    let object = home.object(of: shape.description, as: shape.objectClass, contents: contents)
    present = (key, object)
    return object
  }

  private func shape(of reading: RowBatches) -> Shape? {
    if let atWork, atWork.reading === reading { return atWork.shape }
    guard let shape = shape(of: reading.entity) else { return nil }
    atWork = (reading, shape)
    return shape
  }

  /// Ends the work on the current object; if other code still holds the object, the object stays known.
  func leave() {
    guard present != nil, var last = present.take() else { return }
    guard !isKnownUniquelyReferenced(&last.object) else {
      if last.object.isReusable { spare = last.object }
      return
    }
    contents?.keep()
    contents = nil
    objects.add(last.object, at: last.place)
  }

  func object(_ value: Value) -> ManagedObject? {
    guard case .object(let reference) = value, let row = reference.object as? RowObject else { return nil }
    return object(of: row)
  }

  package func object(ofSourceRow row: any KeyValueObject) -> ManagedObject? {
    guard let row = row as? RowObject, row.isRead(by: reader) else { return nil }
    return object(of: row)
  }

  package func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject? {
    guard let table = layout.table(of: entity) else { return nil }
    let number = try database.rows(
      "SELECT Z_ENT FROM source.\(quoted(table.name)) WHERE Z_PK = ?", [.integer(key)]
    ).first?.first?.integer
    guard let number, let own = layout.entityNumbers.first(where: { Int64($0.value) == number })?.key else {
      return nil
    }
    return object(entity: own, key: key)
  }

  package func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws
    -> [ManagedObject]
  {
    try RowFetch(query, layout: layout, schema: "source").keys(in: database, reader).compactMap {
      object(entity: $0.entity, key: $0.key)
    }
  }

  package func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int {
    try RowFetch(query, layout: layout, schema: "source").keys(in: database, reader).count
  }

  package func contents(ofNew entity: EntityDescription) throws -> any ObjectContents {
    throw PolicyProblem.foreignObject(
      object: "an object of “\(entity.entity.name)”", what: "to be made in the source, which can't be changed")
  }

  package func spare(ofNew entity: EntityDescription) throws -> ManagedObject? { nil }

  package func insert(_ object: ManagedObject) throws { object.contents = try contents(ofNew: object.entity) }

  package func adopt(_ object: ManagedObject) {}

  package func delete(_ object: ManagedObject) throws {
    guard let file else { throw PolicyProblem.sourceKeepsObjects(object: "\(object.objectID)") }
    throw PolicyProblem.storeIsReadOnly(store: file, what: "\(object.objectID) was to be deleted")
  }

  package var hasChanges: Bool { false }

  func refused(_ object: String, property: String) -> PolicyProblem {
    guard let file else { return PolicyProblem.sourceIsReadOnly(object: object, property: property) }
    return PolicyProblem.storeIsReadOnly(store: file, what: "“\(property)” of \(object) was to be changed")
  }

  func unknown(_ key: String, of entity: String) -> PolicyProblem {
    .unknownKey(
      entity: entity, side: file == nil ? "source" : nil, key: key,
      known: layout.model.propertyNames(of: entity))
  }

  func release() {
    leave()
    (spare, contents) = (nil, nil)
    atWork = nil
    objects.release { _ in }
  }

  /// Releases the objects of a batch and the context.
  func releaseObjects() {
    release()
    held = nil
  }
}
