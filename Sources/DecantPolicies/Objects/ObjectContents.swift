package import PredicateFormat

/// The values of a managed object, which may have a row or none.
///
/// The value of an attribute is one that `ValueBridge` gives; a transformable attribute has the value that its
/// transformer makes. A to-one relationship gives a `ManagedObject`, and a to-many relationship an `NSSet` or
/// `NSOrderedSet` of them.
package protocol ObjectContents: AnyObject {
  var context: ManagedObjectContext? { get }
  /// The row's primary key; 0 without a row.
  var key: Int64 { get }
  /// The row for predicates; `nil` if it isn't a source row.
  var sourceRow: (any KeyValueObject)? { get }
  /// The UUID of the row's store.
  var store: String { get }
  func value(forKey key: String) throws -> Any?
  /// The value for predicates: for a transformable attribute its bytes, else that of `value(forKey:)`.
  func untransformedValue(forKey key: String) throws -> Any?
  func setValue(_ value: Any?, forKey key: String) throws
  /// The members of a to-many relationship, in its order if it is ordered.
  func members(forKey key: String) throws -> [ManagedObject]
  func setMembers(_ members: [ManagedObject], forKey key: String) throws
  func insertMember(_ member: ManagedObject, forKey key: String) throws
  func removeMember(_ member: ManagedObject, forKey key: String) throws
  /// Carries out the postponed changes of relationships.
  func settleLinks()
  /// Whether a property was set since the last write of the row.
  func isChanged(_ key: String) -> Bool
  var isInserted: Bool { get }
  var isDeleted: Bool { get }
  var hasChanges: Bool { get }
  /// Whether no value of the row has been read yet.
  var isFault: Bool { get }
  /// Forgets the values that have been read.
  func makeFault()
  /// Reads the row's values.
  func read() throws
}

extension ObjectContents {
  package var sourceRow: (any KeyValueObject)? { nil }
  package func untransformedValue(forKey key: String) throws -> Any? { try value(forKey: key) }
  package func settleLinks() {}
  package var isFault: Bool { false }
  package func makeFault() {}
  package func read() throws {}
}
