import CoreData

/// Copies the store of a running app, and restores a copy.
///
/// It stands for: `migratePersistentStore` by a second coordinator, `remove`, `replacePersistentStore`,
/// `addPersistentStore(type:at:options:)`.
struct BackupService {
  let coordinator: NSPersistentStoreCoordinator
  let folder: URL

  /// Makes the copy with a coordinator of its own, so that the app's store stays open.
  func backUp(named name: String) throws -> URL {
    guard let store = coordinator.persistentStores.first, let sourceURL = store.url else {
      throw CocoaError(.fileNoSuchFile)
    }
    let backupCoordinator = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
    let intermediateOptions: [AnyHashable: Any] = (store.options ?? [:])
      .merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
    let intermediate = try backupCoordinator.addPersistentStore(
      ofType: store.type, configurationName: store.configurationName, at: sourceURL,
      options: intermediateOptions)
    let backupURL = folder.appendingPathComponent(name).appendingPathExtension("sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let options: [AnyHashable: Any] = [
      NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSSQLiteManualVacuumOption: true,
    ]
    try backupCoordinator.migratePersistentStore(
      intermediate, to: backupURL, options: options, withType: NSSQLiteStoreType)
    return backupURL
  }

  func restore(from backupURL: URL) throws {
    for store in coordinator.persistentStores {
      guard let url = store.url else { continue }
      try coordinator.remove(store)
      try coordinator.replacePersistentStore(
        at: url, destinationOptions: store.options, withPersistentStoreFrom: backupURL, sourceOptions: nil,
        type: .sqlite)
      _ = try coordinator.addPersistentStore(type: .sqlite, at: url, options: store.options)
    }
  }
}
