/// The rows behind a context.
protocol ContextRows: AnyObject {
  func objectClass(of entity: EntityDescription) -> ManagedObject.Type
  /// The object of a row; `nil` where there is none.
  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject?
  func fetch(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> [ManagedObject]
  func count(_ query: ManagedObjectContext.Query, in context: ManagedObjectContext) throws -> Int
  /// What a new object of an entity begins with; the object made of it has to be adopted.
  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents
  /// An object that nobody has any more, as a new one of an entity; `nil` where there is none.
  func spare(ofNew entity: EntityDescription) throws -> ManagedObject?
  func adopt(_ object: ManagedObject)
  /// Makes a row for an object that has none.
  func insert(_ object: ManagedObject) throws
  func delete(_ object: ManagedObject) throws
  var hasChanges: Bool { get }
}
