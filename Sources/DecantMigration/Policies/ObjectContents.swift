/// Where a managed object's values are: a source row, a row that is being made, or nowhere yet.
///
/// Values are those of `ValueBridge`; a to-one relationship gives a `ManagedObject`, a to-many one an `NSSet` or
/// `NSOrderedSet` of them.
protocol ObjectContents: AnyObject {
  /// Whose object it is; `nil` for one that is in no context.
  var context: ManagedObjectContext? { get }
  /// The row's primary key; 0 where there is no row.
  var key: Int64 { get }
  /// The UUID of the row's store.
  var store: String { get }
  func value(forKey key: String) throws -> Any?
  func setValue(_ value: Any?, forKey key: String) throws
  /// The members of a to-many relationship, in order where it has one.
  func members(forKey key: String) throws -> [ManagedObject]
  func setMembers(_ members: [ManagedObject], forKey key: String) throws
  func insertMember(_ member: ManagedObject, forKey key: String) throws
  func removeMember(_ member: ManagedObject, forKey key: String) throws
  /// Does what has been put off and changes the object.
  func settleLinks()
  /// Whether a property was set since the row was last written.
  func isChanged(_ key: String) -> Bool
  var isInserted: Bool { get }
  var isDeleted: Bool { get }
  var hasChanges: Bool { get }
}

extension ObjectContents {
  func settleLinks() {}
}
