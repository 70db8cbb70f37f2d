/// The rows that a context reads and changes.
package protocol ContextRows: AnyObject {
  func objectClass(of entity: EntityDescription) -> ManagedObject.Type
  /// The object of a row; `nil` if the row doesn't exist.
  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject?
  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject]
  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int
  /// The initial contents of a new object; after the object is made, `adopt` has to be called.
  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents
  /// An unused object, reset for a new row of an entity; `nil` if there is none.
  func spare(ofNew entity: EntityDescription) throws -> ManagedObject?
  func adopt(_ object: ManagedObject)
  /// Makes a row for an object that has none.
  func insert(_ object: ManagedObject) throws
  func delete(_ object: ManagedObject) throws
  var hasChanges: Bool { get }
  /// The object of an ID of any store; `nil` if the row doesn't exist.
  func object(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> ManagedObject?
  /// The objects that are in memory and in use.
  func objectsInUse() -> [ManagedObject]
  /// Called with the first problem that is noted.
  func noted(_ problem: any Error)
  /// Writes what can be written apart from rows.
  func save() throws
  /// The error that `save()` throws for a noted problem.
  func failure(_ problem: any Error) -> any Error
  /// Forgets everything that isn't written; the objects too, if asked.
  func forget(objects: Bool)
}

extension ContextRows {
  package func object(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> ManagedObject? {
    try object(entity: id.entity.entity.name, key: id.key, in: context)
  }

  package func noted(_ problem: any Error) {}
  package func save() throws {}
  package func failure(_ problem: any Error) -> any Error { problem }
  package func forget(objects: Bool) {}
}
