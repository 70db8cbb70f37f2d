import CoreData

/// Observes the progress of a migration.
///
/// It stands for: key-value observing with a closure, `[.initial, .new]`, `change.newValue`, and `invalidate()`.
public final class ObservingMigrator {
  public private(set) var values: [Float] = []
  public private(set) var mappings: [String] = []
  private var observation: NSKeyValueObservation?

  public init() {}

  public func migrate(
    _ url: URL, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
    with mapping: NSMappingModel, output: URL
  ) throws {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    observation = manager.observe(\.migrationProgress, options: [.initial, .new]) { [weak self] _, change in
      if let value = change.newValue { self?.values.append(value) }
    }
    let other = manager.observe(\.currentEntityMapping) { [weak self] manager, _ in
      self?.mappings.append(manager.currentEntityMapping.name)
    }
    defer {
      observation?.invalidate()
      observation = nil
      other.invalidate()
    }
    try manager.migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: output,
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
  }
}
