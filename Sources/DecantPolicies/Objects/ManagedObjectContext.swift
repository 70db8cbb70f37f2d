internal import DecantModel
public import Foundation
public import PredicateFormat

/// The objects of a migration's source or destination store, or of stores that a program has opened (Core Data's
/// NSManagedObjectContext).
///
/// Changes in the destination's context are written with the current chunk; `save()` writes nothing. Objects of an
/// opened store can't be changed; after an attempt to change one, `save()` throws an error.
///
/// `@unchecked Sendable`: as in Core Data, the caller must use the context and its objects either in blocks of
/// `perform`, which hold the context's lock, or in one thread only.
public final class ManagedObjectContext: NSObject, @unchecked Sendable {
  /// The query of a fetch.
  public struct Query {
    public var entity: String
    public var predicate: FormatPredicate?
    /// Key paths to sort by, the first one first.
    public var order: [(path: String, ascending: Bool)]
    public var limit: Int?
    public var offset: Int
    public var includesSubentities: Bool
    /// The UUIDs of the stores that are read; `nil` for all.
    ///
    /// In a migration, this has no effect.
    package var stores: [String]?

    public init(
      entity: String, predicate: FormatPredicate? = nil, order: [(path: String, ascending: Bool)] = [],
      limit: Int? = nil, offset: Int = 0, includesSubentities: Bool = true
    ) {
      self.entity = entity
      self.predicate = predicate
      self.order = order
      self.limit = limit
      self.offset = offset
      self.includesSubentities = includesSubentities
    }
  }

  /// The entity and the class with which objects of one entity are made.
  private final class Kind {
    let name: String
    let entity: EntityDescription
    let type: ManagedObject.Type

    init(_ name: String, _ entity: EntityDescription, _ type: ManagedObject.Type) {
      self.name = name
      self.entity = entity
      self.type = type
    }
  }

  public private(set) var model: ModelDescription
  /// Whether objects can be made and changed in this context.
  public let isDestination: Bool
  /// Data that policies keep here.
  public var userInfo = NSMutableDictionary()
  /// The settings; they have no effect in a migration's context.
  package var settings = ContextSettings()
  private let lock = NSRecursiveLock()
  private var rows: (any ContextRows)?
  /// The kind of the object that was made last; the next object mostly has the same kind.
  private var last: Kind?
  /// The contents of an existing row, while the object for the row is made.
  private var seed: (any ObjectContents)?
  /// The first error since the last call of `raise()`; `nil` for none.
  private(set) var problem: (any Error)?
  /// The error of the first attempt to change an object of an opened store.
  private var triedChange: (any Error)?

  package init(_ model: ModelDescription, isDestination: Bool) {
    self.model = model
    self.isDestination = isDestination
  }

  /// Attaches the rows of a running step; nil at its end.
  package func attach(_ rows: (any ContextRows)?) {
    self.rows = rows
    last = nil
  }

  /// Attaches the rows of stores of a model.
  package func attach(_ rows: (any ContextRows)?, of model: ModelDescription) {
    self.model = model
    attach(rows)
  }

  private func running() throws(PolicyProblem) -> any ContextRows {
    guard let rows else {
      throw settings.isOwn ? PolicyProblem.noCoordinator : .notRunning("the context")
    }
    return rows
  }

  /// The object of a row of a source store; `nil` if the row isn't of a store of this context.
  func object(ofSourceRow row: any KeyValueObject) -> ManagedObject? { rows?.object(ofSourceRow: row) }

  package func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
    rows?.objectClass(of: entity) ?? ManagedObject.self
  }

  // MARK: Objects

  /// Makes an object of an entity.
  ///
  /// The object has the class that is registered under the entity's class name, or `ManagedObject` if there is none.
  public func insertObject(ofEntity name: String) -> ManagedObject {
    if let last, last.name == name { return spare(last) ?? Self.make(last.type, of: last.entity, in: self) }
    guard let entity = model.entitiesByName[name] else {
      note(PolicyProblem.unknownEntity(name))
      return ManagedObject(entity: EntityDescription.ofNoModel(name), insertInto: nil)
    }
    let type = objectClass(of: entity)
    last = Kind(name, entity, type)
    return Self.make(type, of: entity, in: self)
  }

  /// Makes a row for an object that has none.
  public func insert(_ object: ManagedObject) {
    guard object.managedObjectContext == nil else {
      if object.managedObjectContext !== self {
        note(PolicyProblem.foreignObject(object: "\(object.objectID)", what: "an object of another store"))
      }
      return
    }
    keepingFirstError { try running().insert(object) }
  }

  /// Deletes an object of the destination and removes it from all relationships.
  public func delete(_ object: ManagedObject) {
    keepingFirstError { try running().delete(object) }
  }

  /// The object of an ID; an object without a row if the store has no such object.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    registeredObject(for: id) ?? ManagedObject(entity: id.entity, insertInto: nil)
  }

  /// The object of an ID; nil if the store has no such object.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    do {
      return try rows?.object(id, in: self)
    } catch {
      note(error)
      return nil
    }
  }

  /// The object of an ID.
  ///
  /// - Throws: An `NSError` with Core Data's code 133000 if the store has no such object. If the row can't be read, the
  ///   errors of `fetch(_:)`.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    guard let object = try running().object(id, in: self) else {
      throw NSError(
        domain: NSCocoaErrorDomain, code: 133_000,
        userInfo: [NSLocalizedDescriptionKey: "The store has no object \(id)."])
    }
    return object
  }

  // MARK: Fetching

  /// The objects that match a query; in a migration, those that the current chunk has made are included.
  ///
  /// - Throws: `PolicyProblem` if no migration is running and the context has no coordinator. In a migration, also
  ///   `SQLiteError`, another `PolicyProblem`, or an error of the predicate. For opened stores, an `NSError` with the
  ///   reason.
  public func fetch(_ query: Query) throws -> [ManagedObject] {
    try running().fetch(query, in: self)
  }

  /// - Throws: The same errors as `fetch(_:)`.
  public func count(for query: Query) throws -> Int { try running().count(query, in: self) }

  // MARK: What apps call

  /// Writes nothing in a migration.
  ///
  /// An opened store is read-only. Only changes of its metadata are written.
  ///
  /// - Throws: In a migration, the first error of the policy's method, which the migration also reports. For an opened
  ///   store, an error in three cases: another call for the context's objects failed since the last `save()`; a change
  ///   of an object was tried since the last `rollback()` or `reset()`; the metadata can't be written.
  public func save() throws {
    guard settings.isOwn else {
      if let problem { throw problem }
      return
    }
    let change = triedChange
    do {
      try raise()
      if let change { throw change }
    } catch {
      triedChange = change
      throw rows?.failure(error) ?? error
    }
    try rows?.save()
  }

  public func processPendingChanges() {}
  public func refreshAllObjects() { for object in registeredObjects { object.contents.makeFault() } }
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) { object.contents.makeFault() }
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {}

  /// Forgets the objects and changes of opened stores; does nothing in a migration.
  public func reset() { forget(objects: true) }

  /// Forgets the changes of opened stores; does nothing in a migration.
  public func rollback() { forget(objects: false) }

  private func forget(objects: Bool) {
    guard settings.isOwn else { return }
    problem = nil
    triedChange = nil
    last = nil
    rows?.forget(objects: objects)
  }

  /// Whether there are changes that aren't written; also true after an attempt to change an object of an opened store.
  public var hasChanges: Bool {
    triedChange != nil || rows?.hasChanges ?? false
  }

  /// The objects that are in use.
  ///
  /// For an opened store, these are the objects that other code holds. In a migration, these are the objects of the
  /// current chunk and the objects that policies hold.
  public var registeredObjects: Set<ManagedObject> { Set(rows?.objectsInUse() ?? []) }

  /// The context whose `perform` block runs; `nil` if none runs.
  @TaskLocal package static var current: ManagedObjectContext?

  /// Runs a block at once, on this thread, while no other block of this context runs.
  public func perform(_ block: () -> Void) { performAndWait(block) }
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try lock.withLock { try Self.$current.withValue(self) { try block() } }
  }

  // MARK: Within the engine

  /// Makes the object of an existing row.
  package func object(
    of entity: EntityDescription, as type: ManagedObject.Type, contents: any ObjectContents
  ) -> ManagedObject {
    seed = contents
    return Self.make(type, of: entity, in: self)
  }

  private func spare(_ kind: Kind) -> ManagedObject? {
    guard kind.type == ManagedObject.self, let rows else { return nil }
    do {
      guard let object = try rows.spare(ofNew: kind.entity) else { return nil }
      rows.adopt(object)
      return object
    } catch {
      note(error)
      return ManagedObject(entity: kind.entity, insertInto: nil)
    }
  }

  /// Most objects are of the class `ManagedObject` itself, whose initialiser is called directly, which is faster.
  private static func make(
    _ type: ManagedObject.Type, of entity: EntityDescription, in context: ManagedObjectContext
  ) -> ManagedObject {
    type == ManagedObject.self
      ? ManagedObject(entity: entity, insertInto: context) : type.init(entity: entity, insertInto: context)
  }

  func contents(ofNew entity: EntityDescription) -> (any ObjectContents)? {
    do {
      return try running().contents(ofNew: entity)
    } catch {
      note(error)
      return nil
    }
  }

  func adopt(_ object: ManagedObject) { rows?.adopt(object) }

  func takeSeed() -> (any ObjectContents)? { seed.take() }

  package func entity(ofClass type: ManagedObject.Type) -> EntityDescription {
    let name = "\(type)"
    if let found = entity(ofClass: name) { return found }
    note(PolicyProblem.unknownEntity(name))
    return EntityDescription.ofNoModel(name)
  }

  /// The entity that a fetch request names, by its own name or by its class; `nil` if there is none.
  package func entity(named name: String) -> EntityDescription? {
    model.entitiesByName[name] ?? entity(ofClass: name)
  }

  /// The entity with a class of this name; `nil` if there is none, or more than one.
  private func entity(ofClass name: String) -> EntityDescription? {
    let found = model.entities.filter { ClassName.isSame($0.managedObjectClassName, name) }
    return found.count == 1 ? found[0] : nil
  }

  /// Keeps the first problem, which `raise()` throws.
  package func note(_ error: any Error) {
    if triedChange == nil, case PolicyProblem.storeIsReadOnly = error { triedChange = error }
    guard problem == nil else { return }
    problem = error
    rows?.noted(error)
  }

  package func forgetProblem() { problem = nil }

  /// Throws the noted problem, once.
  package func raise() throws {
    guard let problem else { return }
    self.problem = nil
    triedChange = nil
    throw problem
  }

  private func keepingFirstError(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      note(error)
    }
  }
}
