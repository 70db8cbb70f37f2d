import CoreData

/// Migrates a store from version to version until it has the last version.
///
/// It stands for: `isConfiguration(withName:compatibleWithStoreMetadata:)` over all models of a bundle, the models of a
/// `.momd` by their URLs, `NSMappingModel(from:forSourceModel:destinationModel:)`, an inferred mapping model where none
/// fits, and a temporary store for each step.
public struct IterativeMigrator {
  public enum Failure: Error {
    case noModelForStore
    case noModels
  }

  public let bundle: Bundle
  public let modelName: String

  public init(bundle: Bundle, modelName: String) {
    self.bundle = bundle
    self.modelName = modelName
  }

  /// - Returns: The number of steps.
  @discardableResult
  public func migrate(storeAt storeURL: URL, to targetURL: URL) throws -> Int {
    let models = try self.models()
    var currentURL = storeURL
    var steps = 0
    while let (source, destination) = try nextStep(for: currentURL, in: models) {
      let isLast = destination == models.last
      let stepURL =
        isLast
        ? targetURL
        : FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
      let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
      try manager.migrateStore(
        from: currentURL, sourceType: NSSQLiteStoreType, options: nil,
        with: try mapping(from: source, to: destination), toDestinationURL: stepURL,
        destinationType: NSSQLiteStoreType, destinationOptions: nil)
      if currentURL != storeURL { try FileManager.default.removeItem(at: currentURL) }
      currentURL = stepURL
      steps += 1
    }
    return steps
  }

  private func models() throws -> [NSManagedObjectModel] {
    let found = bundle.urls(forResourcesWithExtension: "mom", subdirectory: "\(modelName).momd") ?? []
    // Foundation on Linux returns NSURLs here.
    let urls = found.map { $0 as URL }
    let models = urls.sorted { Self.name($0) < Self.name($1) }.compactMap(
      NSManagedObjectModel.init(contentsOf:))
    guard !models.isEmpty else { throw Failure.noModels }
    return models
  }

  private static func name(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }

  private func nextStep(
    for url: URL, in models: [NSManagedObjectModel]
  ) throws -> (NSManagedObjectModel, NSManagedObjectModel)? {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    guard
      let index = models.firstIndex(where: {
        $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      })
    else { throw Failure.noModelForStore }
    guard index + 1 < models.count else { return nil }
    return (models[index], models[index + 1])
  }

  private func mapping(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    if let custom = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination) {
      return custom
    }
    return try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
  }
}
