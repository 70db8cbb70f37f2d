internal import PredicateFormat

/// An object in a statement: it can be compared and counted, but its properties can't be read.
struct SQLObject: KeyValueObject {
  /// The root entity of the object's entity.
  let root: String
  let key: Int64

  struct Opaque: Error, CustomStringConvertible {
    let label: String

    var description: String { "a statement can't read the properties of “\(label)”" }
  }

  var identity: ObjectIdentity { .row(space: root, key: key) }
  var label: String { "\(root)/p\(key)" }
  var asValue: Value { .object(ObjectReference(self)) }

  func value(forKey key: String) throws -> Value? { throw Opaque(label: label) }
}
