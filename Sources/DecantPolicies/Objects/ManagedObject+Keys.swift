public import Foundation

extension ManagedObject {
  /// The value at the end of a path of keys; collections give the values of their members.
  public func value(forKeyPath path: String) -> Any? {
    var current: Any? = self
    for key in path.split(separator: ".", omittingEmptySubsequences: false) {
      current = Self.step(String(key), from: current)
    }
    return current
  }

  private static func step(_ key: String, from value: Any?) -> Any? {
    switch value {
    case let object as ManagedObject: object.value(forKey: key)
    case let set as NSSet where key == "@count": NSNumber(value: set.count)
    case let set as NSOrderedSet where key == "@count": NSNumber(value: set.count)
    case let set as NSSet: NSSet(array: set.allObjects.compactMap { step(key, from: $0) })
    case let set as NSOrderedSet: set.array.compactMap { step(key, from: $0) }
    case let text as String where key == "length": NSNumber(value: text.utf16.count)
    default: nil
    }
  }

  public func setValue(_ value: Any?, forKeyPath path: String) {
    guard let dot = path.lastIndex(of: ".") else { return setValue(value, forKey: path) }
    let owner = self.value(forKeyPath: String(path[..<dot])) as? ManagedObject
    owner?.setValue(value, forKey: String(path[path.index(after: dot)...]))
  }

  /// The values of some keys; nil is given as `NSNull`.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  /// The values of some keys, or of all stored properties; nil is given as `NSNull`.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    dictionaryWithValues(forKeys: keys ?? entity.propertiesByName.keys.sorted())
  }

  /// The properties that were set since the last write, with their values; nil is given as `NSNull`.
  public func changedValues() -> [String: Any] {
    contents.settleLinks()
    return dictionaryWithValues(forKeys: entity.propertiesByName.keys.filter(contents.isChanged))
  }

  /// The members of a to-many relationship; a change of the set changes the relationship.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    RelationshipSet(of: self, key: key)
  }

  /// The members of an ordered relationship; a change of the set changes the relationship.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    RelationshipOrderedSet(of: self, key: key)
  }

  public func objectIDs(forRelationshipNamed key: String) -> [ManagedObjectID] {
    members(forKey: key).map(\.objectID)
  }

  func members(forKey key: String) -> [ManagedObject] {
    keepingFirstError([]) { try contents.members(forKey: key) }
  }
}
