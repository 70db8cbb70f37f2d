/// The rows behind a context.
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
}
