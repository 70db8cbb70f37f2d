import CoreData

/// Remembers in the store's metadata which of an app's clean-ups have run.
///
/// It stands for: `setMetadata` for a file, and for an open store with `save`.
enum VersionStamp {
  private static let key = "com.example.notas.cleanups"

  static func cleanups(at url: URL) throws -> [String] {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    return metadata[key] as? [String] ?? []
  }

  /// Adds a clean-up to the metadata of a store that isn't open.
  static func mark(_ name: String, at url: URL) throws {
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    metadata[key] = try cleanups(at: url) + [name]
    try NSPersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: nil)
  }

  /// Adds a clean-up to the metadata of an open store, and saves.
  static func mark(_ name: String, in context: NSManagedObjectContext) throws {
    guard let coordinator = context.persistentStoreCoordinator,
      let store = coordinator.persistentStores.first
    else { return }
    var metadata = coordinator.metadata(for: store)
    metadata[key] = (metadata[key] as? [String] ?? []) + [name]
    coordinator.setMetadata(metadata, for: store)
    try context.save()
  }
}
