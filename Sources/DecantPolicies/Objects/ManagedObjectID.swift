public import Foundation

/// The identity of an object and its store: the parts of `x-coredata://STORE/Entity/pKEY`.
///
/// `@unchecked Sendable`: only the engine sets the key, before an app has the ID.
public final class ManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  /// The object's own entity.
  public let entity: EntityDescription
  /// The row's primary key; 0 for an object without a row.
  public package(set) var key: Int64
  /// The name of the entity's topmost ancestor; within its tree of subentities, keys are unique.
  package var root: String { entity.root }
  /// The UUID of the row's store.
  package let store: String

  package init(entity: EntityDescription, key: Int64, store: String) {
    self.entity = entity
    self.key = key
    self.store = store
  }

  /// Whether the object has no row; objects of a migration have their final keys from the beginning.
  public var isTemporaryID: Bool { key == 0 }

  public func uriRepresentation() -> URL {
    let name = entity.entity.name
    let text = "x-coredata://\(store)/\(name)/p\(key)"
    return URL(string: text) ?? URL(fileURLWithPath: "/\(name)/p\(key)")
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(root)
    hasher.combine(key)
    return hasher.finalize()
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ManagedObjectID else { return false }
    return self === other || (key != 0 && key == other.key && root == other.root && store == other.store)
  }

  public func copy(with zone: NSZone?) -> Any { self }

  public override var description: String { "\(entity.entity.name)/p\(key)" }
}
