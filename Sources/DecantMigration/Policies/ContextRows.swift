/// The rows behind a context.
protocol ContextRows: AnyObject {
  func objectClass(of entity: EntityDescription) -> ManagedObject.Type
  /// The object of a row; `nil` where there is none.
  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject?
  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject]
  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int
  func insert(_ object: ManagedObject, in context: ManagedObjectContext) throws
  func delete(_ object: ManagedObject) throws
  var hasChanges: Bool { get }
}
