internal import Foundation
package import PredicateFormat

/// Converts Swift values to values of the predicate language and back.
package enum EngineValue {
  /// The value in the predicate language; `nil` if the language has no such value.
  package static func value(of any: Any?) -> Value? {
    let any = ValueBridge.flattened(any)
    if let plain = ValueBridge.value(of: any) { return plain }
    switch any {
    case let object as ManagedObject: return value(of: object)
    // In predicates, an entity is its name: the key “entity” gives the name, too.
    case let entity as EntityDescription: return entity.name.map(Value.string)
    case let id as ManagedObjectID: return .object(ObjectReference(IDKeys(id)))
    case let set as NSSet: return members(set.allObjects).map(Value.set)
    case let set as NSOrderedSet: return members(set.array).map(Value.array)
    case let array as [Any]: return members(array).map(Value.array)
    case let set as Set<AnyHashable>: return members(Array(set)).map(Value.set)
    case let entries as [String: Any]:
      let values = entries.compactMapValues(value)
      return values.count == entries.count ? .dictionary(values) : nil
    default: return nil
    }
  }

  private static func members(_ list: [Any]) -> [Value]? {
    let values = list.compactMap(value)
    return values.count == list.count ? values : nil
  }

  package static func value(of object: ManagedObject) -> Value {
    if let row = object.contents.sourceRow { return .object(ObjectReference(row)) }
    return .object(ObjectReference(AnyObjectKeys(object)))
  }

  /// The value of a mapping model's expression; `nil` after an error, which is noted in the context.
  package static func result(
    of expression: FormatExpression, object: Any?, source: ManagedObject?, destination: ManagedObject?,
    variables: [String: Any], manager: MigrationManager?
  ) -> Any? {
    let source = source ?? object as? ManagedObject
    let context = manager?.destinationContext ?? (source ?? destination)?.managedObjectContext
    do {
      if let runtime = manager?.runtime, let source {
        return try runtime.result(of: expression, for: source, destination: destination)
      }
      var evaluation = EvaluationContext(object: value(of: object) ?? .null)
      for (name, value) in variables { evaluation.variables[name] = Self.value(of: value) }
      return any(try expression.value(in: evaluation), in: (source ?? destination)?.managedObjectContext)
    } catch {
      context?.note(error)
      return nil
    }
  }

  /// The value for a policy, with managed objects in place of references.
  ///
  /// - Parameter context: Finds the objects of source rows. A reference to a row of another context gives `nil`.
  static func any(_ value: Value, in context: ManagedObjectContext?) -> Any? {
    switch value {
    case .object(let reference):
      if let keys = reference.object as? AnyObjectKeys { return keys.object }
      return context?.object(ofSourceRow: reference.object)
    case .set(let members): return NSSet(array: members.compactMap { any($0, in: context) })
    case .array(let members): return members.compactMap { any($0, in: context) }
    default: return ValueBridge.any(of: value)
    }
  }
}

/// A managed object in predicates; if it has a row, it has the row's identity.
///
/// `@unchecked Sendable`: predicates are evaluated by their caller, on the object's queue.
private final class AnyObjectKeys: KeyValueObject, @unchecked Sendable {
  let object: ManagedObject

  init(_ object: ManagedObject) { self.object = object }

  var identity: ObjectIdentity {
    object.objectID.key == 0
      ? .reference(ObjectIdentifier(object)) : .row(space: object.objectID.root, key: object.objectID.key)
  }

  var label: String { "\(object.objectID)" }

  func value(forKey key: String) throws -> Value? {
    guard object.entity.propertiesByName[key] != nil else {
      return key == "entity" ? object.entity.name.map(Value.string) : nil
    }
    return EngineValue.value(of: try object.contents.untransformedValue(forKey: key)) ?? .null
  }
}

/// An object's ID as a predicate's argument; it equals the object's row.
private final class IDKeys: KeyValueObject {
  let identity: ObjectIdentity
  let label: String

  init(_ id: ManagedObjectID) {
    identity = .row(space: id.root, key: id.key)
    label = "\(id)"
  }

  func value(forKey key: String) throws -> Value? { nil }
}
