internal import Foundation
internal import PredicateFormat

/// Follows paths of keys, as key-value access does (Apple's Key-Value Coding Programming Guide).
package enum KeyPathValue {
  /// The value at the end of a path.
  ///
  /// A set or a list gives the values of its members. Nil values are left out of a set, and are `NSNull` in a list.
  /// Collection operators, and the keys of texts, dates and other plain values, are those of predicates
  /// (docs/predicates.md).
  ///
  /// - Throws: `PolicyProblem` or `EvaluationError`.
  package static func value(_ path: String, of start: Any?) throws -> Any? {
    var current = start
    var rest = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while let key = rest.popFirst(), let owner = ValueBridge.flattened(current) {
      if key.hasPrefix("@") { return try result(of: ([key] + rest).joined(separator: "."), owner) }
      current = try step(key, from: owner)
    }
    return current
  }

  /// Sets the value at the end of a path.
  ///
  /// If the path without its last key leads to a set of objects, the value is set for each of them. If that path leads
  /// to nil, nothing is set.
  ///
  /// - Throws: `PolicyProblem` if that path leads to another value, such as a string or a dictionary, because such
  ///   values can't be changed in place. Also the errors of `value(_:of:)`.
  package static func set(_ value: Any?, _ path: String, of start: ManagedObject) throws {
    guard let dot = path.lastIndex(of: ".") else { return start.setValue(value, forKey: path) }
    let (front, key) = (String(path[..<dot]), String(path[path.index(after: dot)...]))
    switch ValueBridge.flattened(try self.value(front, of: start)) {
    case nil: return
    case let object as ManagedObject: object.setValue(value, forKey: key)
    case let set as NSSet where set.allObjects is [ManagedObject]:
      for case let object as ManagedObject in set { object.setValue(value, forKey: key) }
    case let set as NSOrderedSet where set.array is [ManagedObject]:
      for case let object as ManagedObject in set { object.setValue(value, forKey: key) }
    case let owner?:
      throw PolicyProblem.valueInPlace(
        entity: start.entity.entity.name, path: front, key: key, found: "\(type(of: owner))")
    }
  }

  private static func step(_ key: String, from owner: Any) throws -> Any? {
    switch owner {
    case let object as ManagedObject: return object.value(forKey: key)
    case let set as NSSet: return NSSet(array: try set.allObjects.compactMap { try value(key, of: $0) })
    case let set as NSOrderedSet: return NSOrderedSet(array: try list(key, of: set.array))
    case let dictionary as NSDictionary: return dictionary.object(forKey: key)
    case let dictionary as [String: Any]: return dictionary[key]
    case let array as [Any]: return try list(key, of: array)
    default: return try result(of: key, owner)
    }
  }

  private static func list(_ key: String, of members: [Any]) throws -> [Any] {
    try members.map { try value(key, of: $0) ?? NSNull() }
  }

  private static func result(of path: String, _ owner: Any) throws -> Any? {
    guard let value = EngineValue.value(of: owner), let steps = KeyPathText.steps(of: path) else {
      throw PolicyProblem.noSuchKey(path, found: "\(type(of: owner))")
    }
    let expression = FormatExpression.keyPath(PredicateFormat.KeyPath(steps: steps))
    return EngineValue.any(
      try expression.value(in: EvaluationContext(object: value)), in: object(in: owner)?.managedObjectContext)
  }

  /// The object itself, or the first object in a collection.
  private static func object(in owner: Any) -> ManagedObject? {
    switch owner {
    case let object as ManagedObject: object
    case let set as NSSet: set.allObjects.lazy.compactMap { $0 as? ManagedObject }.first
    case let set as NSOrderedSet: set.array.lazy.compactMap { $0 as? ManagedObject }.first
    case let array as [Any]: array.lazy.compactMap { $0 as? ManagedObject }.first
    default: nil
    }
  }
}
