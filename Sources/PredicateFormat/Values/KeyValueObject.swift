/// An object with keys: a source or destination object, a manager, a policy.
public protocol KeyValueObject: Sendable {
  /// The identity of the object: two objects with equal identities are equal.
  var identity: ObjectIdentity { get }

  /// The value of a key; to-one relationships give `.object`, to-many ones `.set` or `.array`.
  ///
  /// - Returns: `.null` if the key has no value, `nil` if the key is unknown.
  func value(forKey key: String) throws -> Value?

  /// The name of the object in messages, such as “Nota/p12”.
  var label: String { get }
}

/// The identity of an object.
public enum ObjectIdentity: Hashable, Sendable {
  /// An object in memory.
  case reference(ObjectIdentifier)
  /// An object of a store; `key` is unique within `space`, as a primary key is within a root entity.
  case row(space: String, key: Int64)
  case name(String)
}

extension KeyValueObject where Self: AnyObject {
  public var identity: ObjectIdentity { .reference(ObjectIdentifier(self)) }
}

/// An object as a value; two such values are equal if the identities of their objects are equal.
public struct ObjectReference: Hashable, Sendable, CustomStringConvertible {
  public let object: any KeyValueObject

  public init(_ object: any KeyValueObject) { self.object = object }

  public static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.object.identity == right.object.identity
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(object.identity) }

  public var description: String { object.label }
}
