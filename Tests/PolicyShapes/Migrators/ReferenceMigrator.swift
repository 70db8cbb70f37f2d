import CoreData

/// Migrates with reference stores.
///
/// It stands for: `manager.referenceStores`, which only Decant has.
public struct ReferenceMigrator {
  public let references: [URL]

  public init(references: [URL]) { self.references = references }

  public func migrate(
    _ url: URL, from source: NSManagedObjectModel, to destination: NSManagedObjectModel, output: URL
  ) throws {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    #if !canImport(ObjectiveC)
      manager.referenceStores = references
    #endif
    try manager.migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil,
      with: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination),
      toDestinationURL: output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
  }
}
