import CoreData

/// Reports a migration to a `Progress`, which can cancel the migration.
///
/// It stands for: `Progress(totalUnitCount:)`, `becomeCurrent(withPendingUnitCount:)`, and the error of a migration
/// that the caller has cancelled, `NSMigrationCancelledError`.
public struct ProgressMigrator {
  public let progress = Progress(totalUnitCount: 10)

  public init() {}

  /// - Returns: false if the progress was cancelled.
  public func migrate(
    _ url: URL, with manager: NSMigrationManager, mapping: NSMappingModel, output: URL
  ) throws -> Bool {
    progress.becomeCurrent(withPendingUnitCount: 10)
    defer { progress.resignCurrent() }
    do {
      try manager.migrateStore(
        from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: output,
        destinationType: NSSQLiteStoreType, destinationOptions: nil)
      return true
    } catch let error as NSError
      where error.domain == NSCocoaErrorDomain && error.code == NSMigrationCancelledError
    {
      return false
    }
  }
}
