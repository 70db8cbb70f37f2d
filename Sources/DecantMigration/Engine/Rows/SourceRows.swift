internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// The source store's objects during a step.
final class SourceRows: ContextRows {
  let layout: StoreLayout
  let reader: RowSource
  private let database: SQLiteDatabase
  private let store: String
  private let objects = ObjectTable()
  private let classes: [String: ManagedObject.Type]
  private let roots: [String: String]

  init(_ database: SQLiteDatabase, layout: StoreLayout, store: String, registry: PolicyRegistry) {
    self.database = database
    self.layout = layout
    self.store = store
    reader = RowSource(database: database, layout: layout, schema: "source")
    classes = registry.classes(of: layout.model)
    roots = Dictionary(
      layout.model.entities.map { ($0.name, layout.model.root(of: $0.name)?.name ?? $0.name) },
      uniquingKeysWith: { first, _ in first })
  }

  func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
    classes[entity.entity.name] ?? ManagedObject.self
  }

  /// The object of a row that is there, of the row's own entity.
  func object(entity: String, key: Int64, known: RowObject?, in context: ManagedObjectContext) -> ManagedObject?
  {
    let place = RowKey(root: roots[entity] ?? entity, key: key)
    if let object = objects[place] { return object }
    guard let description = context.model.entitiesByName[entity] else { return nil }
    let row = known ?? reader.object(entity: entity, key: key)
    let object = context.object(
      of: description,
      seed: .init(
        objectID: ManagedObjectID(entity: description, key: key, store: store),
        contents: SourceContents(row, rows: self, context: context)))
    objects.add(object, at: place)
    return object
  }

  /// The object of a value that stands for one.
  func object(_ value: Value, in context: ManagedObjectContext) throws -> ManagedObject? {
    guard case .object(let reference) = value, let row = reference.object as? RowObject else { return nil }
    return object(entity: row.entity, key: row.key, known: row, in: context)
  }

  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject? {
    guard let table = layout.table(of: entity) else { return nil }
    let number = try database.rows(
      "SELECT Z_ENT FROM source.\(quoted(table.name)) WHERE Z_PK = ?", [.integer(key)]
    ).first?.first?.integer
    guard let number, let own = layout.entityNumbers.first(where: { Int64($0.value) == number })?.key else {
      return nil
    }
    return object(entity: own, key: key, known: nil, in: context)
  }

  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject] {
    try RowFetch(query, layout: layout, schema: "source").keys(in: database, reader).compactMap {
      object(entity: $0.entity, key: $0.key, known: nil, in: context)
    }
  }

  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int {
    try RowFetch(query, layout: layout, schema: "source").keys(in: database, reader).count
  }

  func insert(_ object: ManagedObject, in context: ManagedObjectContext) throws {
    throw PolicyProblem.foreignObject(
      object: "an object of “\(object.entity.entity.name)”",
      what: "to be made in the source, which stays as it is")
  }

  func delete(_ object: ManagedObject) throws {
    throw PolicyProblem.sourceIsReadOnly(object: "\(object.objectID)", property: "existence")
  }

  var hasChanges: Bool { false }

  func unknown(_ key: String, of entity: String) -> PolicyProblem {
    .unknownKey(entity: entity, key: key, near: NearName.of(key, among: layout.model.propertyNames(of: entity)))
  }

  /// Lets go of the objects of a batch.
  func release() { objects.release { _ in } }
}
