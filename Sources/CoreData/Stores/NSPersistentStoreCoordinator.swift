public import DecantPolicies
public import Foundation

/// The stores of a program (Core Data's NSPersistentStoreCoordinator).
///
/// Stores are opened for reading, and objects can't be changed. Only these calls change files:
///
/// - `replacePersistentStore`, `destroyPersistentStore` and `migratePersistentStore`.
/// - The static `setMetadata`, and `save()` of a context after metadata of an opened store were set.
/// - `addPersistentStore`: it makes a missing store. If the options ask for it, the call also migrates the store, or
///   writes the content of the `-wal` into the file.
///
/// A file that is a symbolic link is refused.
///
/// `@unchecked Sendable`: the list of stores is used under the lock. The program sets the name, the folders and the
/// classes before it shares the coordinator.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  public let managedObjectModel: ModelDescription
  /// A name for the program's own use.
  open var name: String?
  /// Folders in which a migration looks for models and mapping models, before it looks in the main bundle.
  ///
  /// Apple's class doesn't have this property.
  public var modelFolders: [URL] = []
  /// The classes that models and mapping models name.
  ///
  /// A program's own classes are also found by their names. Apple's class doesn't have this property.
  public var registry = PolicyRegistry()
  private var stores: [NSPersistentStore] = []
  private let lock = NSRecursiveLock()
  private var heldRefusal: (any Error)?

  /// The error of the first attempt to change an object; nil if there was none.
  var refusedChange: (any Error)? { lock.withLock { heldRefusal } }

  func refuseChange(_ problem: any Error) { lock.withLock { heldRefusal = heldRefusal ?? problem } }

  public init(managedObjectModel model: ModelDescription) {
    managedObjectModel = model
    LiveModels.note(model)
  }

  /// The stores in the order in which they were added.
  public var persistentStores: [NSPersistentStore] { lock.withLock { stores } }

  func add(_ store: NSPersistentStore) {
    lock.withLock { stores.append(store) }
    store.persistentStoreCoordinator = self
  }

  func index(of store: NSPersistentStore) -> Int? { stores.firstIndex { $0 === store } }

  /// Removes a store from the coordinator; its files stay.
  ///
  /// - Throws: `CoreDataError` if the coordinator doesn't have the store.
  open func remove(_ store: NSPersistentStore) throws {
    try lock.withLock {
      guard let index = index(of: store) else {
        throw CoreDataError(
          NSCoreDataError,
          "\(store.url?.path ?? "The store") isn't a store of this coordinator, so it can't be removed.")
      }
      stores.remove(at: index)
    }
    store.persistentStoreCoordinator = nil
  }

  /// The store at a URL; nil if the coordinator has none there.
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    guard let place = try? StorePlace(url) else { return nil }
    return persistentStores.first { store in
      store.url.flatMap { try? StorePlace($0) }.map { $0.isSame(as: place) } ?? false
    }
  }

  /// The URL of a store; `/dev/null` if the store has none.
  open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

  // MARK: Blocks

  /// Runs a block at once, on this thread, while no other block of this coordinator runs.
  open func perform(_ block: @escaping () -> Void) { lock.withLock(block) }

  /// Runs a block as `perform` does.
  open func performAndWait(_ block: () -> Void) { lock.withLock(block) }

  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try lock.withLock(block)
  }

  public func perform<Result>(_ block: @escaping () throws -> Result) async rethrows -> Result {
    try lock.withLock(block)
  }
}
