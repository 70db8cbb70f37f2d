public import Foundation

extension ManagedObject {
  /// The value at the end of a path of keys; collections give the values of their members.
  public func value(forKeyPath path: String) -> Any? {
    keepingFirstError(nil) { try KeyPathValue.value(path, of: self) }
  }

  /// Sets the value at the end of a path.
  ///
  /// A dictionary can't be changed in place: set a new one for its property.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    keepingFirstError(()) { try KeyPathValue.set(value, path, of: self) }
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

  /// The current values of some keys; nil is given as `NSNull`.
  ///
  /// Core Data gives the last saved values instead.
  ///
  /// - Parameter keys: nil for all properties of the entity.
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
