/// The rows behind a context.
package protocol ContextRows: AnyObject {
  func objectClass(of entity: EntityDescription) -> ManagedObject.Type
  /// The object of a row; `nil` if the row doesn't exist.
  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject?
  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject]
  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int
  /// The initial contents of a new object; the object that is made from them has to be adopted.
  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents
  /// An unused object, reset as a new one of an entity; `nil` without one.
  func spare(ofNew entity: EntityDescription) throws -> ManagedObject?
  func adopt(_ object: ManagedObject)
  /// Makes a row for an object without one.
  func insert(_ object: ManagedObject) throws
  func delete(_ object: ManagedObject) throws
  var hasChanges: Bool { get }
}
