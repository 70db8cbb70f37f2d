// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies

@available(
  *, unavailable,
  message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
)
public class NSAtomicStore {}

@available(
  *, unavailable,
  message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
)
public class NSAtomicStoreCacheNode {
  public init(objectID: ManagedObjectID) {}
}

@available(
  *, unavailable,
  message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
)
public class NSIncrementalStore {}

@available(
  *, unavailable,
  message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
)
public class NSIncrementalStoreNode {
  public init(objectID: ManagedObjectID, withValues values: [String: Any], version: UInt64) {}
}

extension NSPersistentStoreCoordinator {
  @available(
    *, unavailable,
    message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
  )
  public class var registeredStoreTypes: [String: Any] { [:] }

  @available(
    *, unavailable,
    message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
  )
  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {}

  @available(
    *, unavailable,
    message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
  )
  public class func registerStoreClass(_ storeClass: AnyClass?, type storeType: NSPersistentStore.StoreType) {}
}

extension NSPersistentStore {
  @available(
    *, unavailable,
    message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
  )
  public func loadMetadata() throws {}

  @available(
    *, unavailable,
    message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
  )
  public func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  @available(
    *, unavailable,
    message: "only SQLite and XML stores can be read here; convert other stores to SQLite on a Mac first"
  )
  public func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  @available(*, unavailable, message: "NSMigrationManager migrates every store; take it out")
  public class func migrationManagerClass() -> AnyClass? { nil }
}
