import CoreData

/// Migrates a store to a new file beside it, moves the store to a backup, and the result to the store's place.
///
/// It stands for: `FileManager.moveItem`, the files `-wal` and `-shm`, `mergedModel(from:forStoreMetadata:)`, and a
/// check of the result's metadata.
public struct ReplacingMigrator {
  public let bundle: Bundle

  public init(bundle: Bundle) { self.bundle = bundle }

  /// - Returns: The URL of the backup.
  public func migrate(_ storeURL: URL, to destination: NSManagedObjectModel) throws -> URL {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    guard let source = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) else {
      throw CocoaError(.migrationMissingSourceModel)
    }
    let name = storeURL.deletingPathExtension().lastPathComponent
    let temporary = storeURL.deletingLastPathComponent().appendingPathComponent("\(name).new.sqlite")
    let backup = storeURL.deletingLastPathComponent().appendingPathComponent("\(name).old.sqlite")
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: storeURL, sourceType: NSSQLiteStoreType, options: nil,
      with: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination),
      toDestinationURL: temporary, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    for suffix in ["", "-wal", "-shm"] {
      let from = URL(fileURLWithPath: storeURL.path + suffix)
      guard FileManager.default.fileExists(atPath: from.path) else { continue }
      try FileManager.default.moveItem(at: from, to: URL(fileURLWithPath: backup.path + suffix))
    }
    try FileManager.default.moveItem(at: temporary, to: storeURL)
    let result = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: storeURL)
    guard destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: result) else {
      throw CocoaError(.persistentStoreIncompatibleVersionHash)
    }
    return backup
  }
}
