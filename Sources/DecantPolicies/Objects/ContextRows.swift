package import PredicateFormat

/// The rows that a context reads and changes.
package protocol ContextRows: AnyObject {
  func objectClass(of entity: EntityDescription) -> ManagedObject.Type
  /// The object of a row; `nil` if the row doesn't exist.
  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject?
  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject]
  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int
  /// The initial contents of a new object; the caller makes the object with them, and then calls `adopt`.
  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents
  /// An unused object, reset for a new row of an entity; `nil` if there is none.
  func spare(ofNew entity: EntityDescription) throws -> ManagedObject?
  func adopt(_ object: ManagedObject)
  /// Makes a row for an object that has none.
  func insert(_ object: ManagedObject) throws
  func delete(_ object: ManagedObject) throws
  var hasChanges: Bool { get }
  /// The object of an ID, from the store that the ID names; `nil` if the row doesn't exist.
  func object(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> ManagedObject?
  /// The object of a row of a source store; `nil` if the row isn't of a store whose rows these are.
  func object(ofSourceRow row: any KeyValueObject) -> ManagedObject?
  /// The objects that are in memory and in use.
  func objectsInUse() -> [ManagedObject]
  /// Called with the first problem that is noted.
  func noted(_ problem: any Error)
  /// Writes changes that aren't changes of rows, such as metadata.
  func save() throws
  /// The error that `save()` throws for a noted problem.
  func failure(_ problem: any Error) -> any Error
  /// Forgets all changes that aren't written; if `objects` is true, also the objects.
  func forget(objects: Bool)
}

extension ContextRows {
  package func object(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> ManagedObject? {
    try object(entity: id.entity.entity.name, key: id.key, in: context)
  }

  package func object(ofSourceRow row: any KeyValueObject) -> ManagedObject? { nil }
  package func noted(_ problem: any Error) {}
  package func save() throws {}
  package func failure(_ problem: any Error) -> any Error { problem }
  package func forget(objects: Bool) {}
}
