internal import PredicateFormat

/// An object within a statement: known by its key, to be compared and counted; its own keys are the statement's matter.
struct SQLObject: KeyValueObject {
  /// The root entity of its family.
  let root: String
  let key: Int64

  /// What can't be asked of objects here.
  struct Opaque: Error, CustomStringConvertible {
    let label: String

    var description: String { "“\(label)” can't be looked into within a statement" }
  }

  var identity: ObjectIdentity { .row(space: root, key: key) }
  var label: String { "\(root)/p\(key)" }
  var asValue: Value { .object(ObjectReference(self)) }

  func value(forKey key: String) throws -> Value? { throw Opaque(label: label) }
}
