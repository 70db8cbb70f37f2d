import CoreData

/// Moves an app's store into the folder that it shares with its extensions.
///
/// It stands for: `persistentStore(for:)`, `migratePersistentStore`, and `destroyPersistentStore` inside
/// `loadPersistentStores`.
final class StoreMover {
  let container: NSPersistentContainer
  private let oldURL: URL
  private let sharedURL: URL

  init(model: NSManagedObjectModel, oldURL: URL, sharedURL: URL) {
    container = NSPersistentContainer(name: "Notas", managedObjectModel: model)
    self.oldURL = oldURL
    self.sharedURL = sharedURL
  }

  func loadStores(completion: @escaping (Error?) -> Void) {
    let needsMove = FileManager.default.fileExists(atPath: oldURL.path)
    container.persistentStoreDescriptions.first?.url = needsMove ? oldURL : sharedURL
    container.loadPersistentStores { [unowned self] _, error in
      if let error = error { return completion(error) }
      do {
        if needsMove { try self.move() }
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }

  private func move() throws {
    let coordinator = container.persistentStoreCoordinator
    guard let oldStore = coordinator.persistentStore(for: oldURL) else { return }
    try coordinator.migratePersistentStore(oldStore, to: sharedURL, options: nil, withType: NSSQLiteStoreType)
    try coordinator.destroyPersistentStore(at: oldURL, ofType: NSSQLiteStoreType, options: nil)
    var isDeleted = true
    for suffix in ["-shm", "-wal"] where FileManager.default.fileExists(atPath: oldURL.path + suffix) {
      isDeleted = false
    }
    assert(isDeleted)
  }
}
