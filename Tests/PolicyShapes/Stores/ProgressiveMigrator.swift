import CoreData

/// Migrates a store by one mapping model after another up to a version, and keeps a backup.
///
/// It stands for: `mergedModel(from:forStoreMetadata:)`, equality of models, `NSMappingModel(from:…)` in
/// recursion, and files that the app moves.
class ProgressiveMigrator: NSObject {
  enum MigrationFailure: Error {
    case noSourceModel
    case noMappingModel
    case noWay
  }

  private let bundle: Bundle
  var steps: [String] = []

  init(bundle: Bundle) {
    self.bundle = bundle
    super.init()
  }

  func progressivelyMigrate(url: URL, ofType type: String, to finalModel: NSManagedObjectModel) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: url, options: nil)
    if finalModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
    guard let sourceModel = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) else {
      throw MigrationFailure.noSourceModel
    }
    guard let (target, mapping) = nextStep(from: sourceModel) else { throw MigrationFailure.noWay }
    let manager = NSMigrationManager(sourceModel: sourceModel, destinationModel: target)
    let destination = url.deletingLastPathComponent()
      .appendingPathComponent("Migration-\(UUID().uuidString).\(url.pathExtension)")
    try manager.migrateStore(
      from: url, sourceType: type, options: nil, with: mapping, toDestinationURL: destination,
      destinationType: type, destinationOptions: nil)
    let backup = url.deletingPathExtension().appendingPathExtension("backup")
    let files = FileManager.default
    try? files.removeItem(at: backup)
    try files.moveItem(at: url, to: backup)
    do {
      try files.moveItem(at: destination, to: url)
    } catch {
      try files.moveItem(at: backup, to: url)
      throw error
    }
    steps.append(mapping.entityMappings.map { $0.name }.sorted().joined(separator: ","))
    try progressivelyMigrate(url: url, ofType: type, to: finalModel)
  }

  private func nextStep(from source: NSManagedObjectModel) -> (NSManagedObjectModel, NSMappingModel)? {
    for model in models where model != source {
      if let mapping = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: model) {
        return (model, mapping)
      }
    }
    return nil
  }

  private var models: [NSManagedObjectModel] {
    let bundles = bundle.paths(forResourcesOfType: "momd", inDirectory: nil)
    let paths = bundles.flatMap {
      bundle.paths(forResourcesOfType: "mom", inDirectory: ($0 as NSString).lastPathComponent)
    }
    return paths.compactMap { NSManagedObjectModel(contentsOf: URL(fileURLWithPath: $0)) }
  }
}
