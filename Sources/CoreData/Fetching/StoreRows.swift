internal import DecantPolicies
internal import DecantRows
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// The rows of a coordinator's stores for one context.
///
/// Each fetch uses the stores that the coordinator has at that time. The context owns this object.
final class StoreRows: ContextRows {
  private struct Part {
    let store: NSPersistentStore
    let rows: SourceRows

    func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject]
    {
      try store.opened.fetching { try rows.fetch(query, in: context) }
    }

    func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int {
      try store.opened.fetching { try rows.count(query, in: context) }
    }
  }

  private let coordinator: NSPersistentStoreCoordinator
  private weak var context: ManagedObjectContext?
  private var known: [Part] = []
  /// The modules in which classes were looked for.
  private var modules: [String] = []

  init(_ coordinator: NSPersistentStoreCoordinator, context: ManagedObjectContext) {
    self.coordinator = coordinator
    self.context = context
  }

  private func parts() throws -> [Part] {
    let stores = coordinator.persistentStores
    if let wanted = context?.settings.modules, wanted != modules {
      modules = wanted
      let registry = ContextClasses.registry(of: coordinator, modules: modules)
      for part in known { part.rows.use(registry) }
    }
    if stores.count == known.count, zip(stores, known).allSatisfy({ $0 === $1.store }) { return known }
    known = try stores.map { store in
      if let part = known.first(where: { $0.store === store }) { return part }
      return Part(store: store, rows: try open(store))
    }
    return known
  }

  private func open(_ store: NSPersistentStore) throws -> SourceRows {
    guard let context else { throw PolicyProblem.notRunning("the context") }
    return SourceRows(
      store.opened.connection, layout: store.opened.layout, store: store.identifier,
      file: store.opened.store.path,
      registry: ContextClasses.registry(of: coordinator, modules: modules), opened: context)
  }

  private func parts(of query: ManagedObjectContext.Query) throws -> [Part] {
    let all = try parts(of: query.entity)
    guard let wanted = query.stores else { return all }
    return all.filter { wanted.contains($0.store.identifier) }
  }

  private func parts(of entity: String) throws -> [Part] {
    let all = try parts()
    guard !all.isEmpty else {
      throw CoreDataError(
        NSCoreDataError, "The context's coordinator has no store. Add one with addPersistentStore.")
    }
    let found = all.filter { $0.store.opened.layout.entityNumbers[entity] != nil }
    guard found.isEmpty else { return found }
    guard coordinator.managedObjectModel.entitiesByName[entity] != nil else {
      throw CoreDataError(NSCoreDataError, "\(PolicyProblem.unknownEntity(entity)).")
    }
    throw CoreDataError(
      NSCoreDataError,
      "No store of the coordinator has objects of “\(entity)”: the stores' configurations lack this entity.")
  }

  private func reading<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as CoreDataError {
      throw error
    } catch {
      throw CoreDataError(NSCoreDataError, "\(error)")
    }
  }

  // MARK: Objects

  func object(ofSourceRow row: any KeyValueObject) -> ManagedObject? {
    known.lazy.compactMap { $0.rows.object(ofSourceRow: row) }.first
  }

  func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
    (try? parts(of: entity.entity.name).first?.rows.objectClass(of: entity)) ?? ManagedObject.self
  }

  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject? {
    try reading {
      for part in try parts(of: entity) {
        if let object = try part.rows.object(entity: entity, key: key, in: context) { return object }
      }
      return nil
    }
  }

  func object(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> ManagedObject? {
    try reading {
      guard let part = try parts().first(where: { $0.store.identifier == id.store }) else { return nil }
      return try part.rows.object(entity: id.entity.entity.name, key: id.key, in: context)
    }
  }

  func objectsInUse() -> [ManagedObject] { known.flatMap { $0.rows.objectsInUse() } }

  // MARK: Fetching

  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject] {
    try reading {
      let parts = try parts(of: query)
      if parts.count == 1 { return try parts[0].fetch(query, in: context) }
      // Each store gives its first objects. They are sorted together here.
      var each = query
      each.offset = 0
      each.limit = query.limit.map {
        let (sum, overflows) = max($0, 0).addingReportingOverflow(max(query.offset, 0))
        return overflows ? .max : sum
      }
      let found = SortedObjects(query.order).merged(try parts.map { try $0.fetch(each, in: context) })
      return Array(found.dropFirst(max(query.offset, 0)).prefix(query.limit.map { max($0, 0) } ?? .max))
    }
  }

  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int {
    try reading {
      let parts = try parts(of: query)
      if parts.count == 1 { return try parts[0].count(query, in: context) }
      var each = query
      (each.offset, each.limit, each.order) = (0, nil, [])
      let all = try parts.reduce(0) { try $0 + $1.count(each, in: context) }
      return min(max(0, all - max(query.offset, 0)), query.limit.map { max($0, 0) } ?? .max)
    }
  }

  // MARK: Changes

  private func refused(_ what: String) -> PolicyProblem {
    PolicyProblem.storeIsReadOnly(
      store: coordinator.persistentStores.first?.url?.path ?? "the store", what: what)
  }

  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents {
    throw refused("an object of “\(entity.entity.name)” was to be inserted")
  }

  func spare(ofNew entity: EntityDescription) throws -> ManagedObject? { nil }
  func adopt(_ object: ManagedObject) {}

  func insert(_ object: ManagedObject) throws {
    throw refused("an object of “\(object.entity.name ?? "")” was to be inserted")
  }

  func delete(_ object: ManagedObject) throws { throw refused("\(object.objectID) was to be deleted") }

  var hasChanges: Bool { coordinator.persistentStores.contains(where: \.hasChangedMetadata) }

  func save() throws {
    for store in coordinator.persistentStores { try store.writeMetadata() }
  }

  func failure(_ problem: any Error) -> any Error {
    CoreDataError(NSPersistentStoreSaveError, "\(problem).")
  }

  func forget(objects: Bool) {
    for store in coordinator.persistentStores { store.forgetMetadata() }
    if objects { known = [] }
  }

  /// Writes a problem to the log.
  ///
  /// For a wrong key, Apple raises an exception. Here the value is nil, so the reason must be in the log.
  func noted(_ problem: any Error) {
    if case PolicyProblem.storeIsReadOnly = problem { coordinator.refuseChange(problem) }
    LogLine.write("\(problem)")
  }
}
