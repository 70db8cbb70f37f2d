/// An object that answers for its keys: a source or destination object, a manager, a policy.
///
/// Evaluating asks for keys and for nothing else, so that any row or object can stand behind it.
public protocol KeyValueObject: Sendable {
  /// What tells this object from others: two objects are equal when these are.
  var identity: ObjectIdentity { get }

  /// The value of a key; to-one relationships give `.object`, to-many ones `.set` or `.array`.
  ///
  /// - Returns: `.null` where the object has the key without a value, `nil` where it has no such key.
  func value(forKey key: String) throws -> Value?

  /// What the object is called in messages, as “Nota/p12”.
  var label: String { get }
}

/// What tells one object from another.
public enum ObjectIdentity: Hashable, Sendable {
  /// An object in memory.
  case reference(ObjectIdentifier)
  /// An object of a store: its entity and its primary key, or whatever else names it within `space`.
  case row(space: String, key: Int64)
  case name(String)
}

extension KeyValueObject where Self: AnyObject {
  public var identity: ObjectIdentity { .reference(ObjectIdentifier(self)) }
}

/// An object as a value, equal to another when their identities are.
public struct ObjectReference: Hashable, Sendable, CustomStringConvertible {
  public let object: any KeyValueObject

  public init(_ object: any KeyValueObject) { self.object = object }

  public static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.object.identity == right.object.identity
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(object.identity) }

  public var description: String { object.label }
}
