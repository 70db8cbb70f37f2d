import CoreData

/// The migration of one store to the current version of an app's model.
struct StoreMigration {
  let store: URL
  let bundle: Bundle
  let output: URL
  /// The names of the mapping models to run one after another; empty to use the only mapping model that fits.
  let passNames: [String]

  func run() throws {
    // 1. Is a migration necessary? The store's metadata have the version hashes of the model that wrote it.
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: store, options: nil)
    guard let destinationModel = NSManagedObjectModel.mergedModel(from: [bundle]) else {
      throw Problem.noModel("of the current version")
    }
    if destinationModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
      print("\(store.lastPathComponent) is of the current version: nothing to do.")
      return
    }

    // 2. The model of the store, by the same hashes.
    guard let sourceModel = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) else {
      throw Problem.noModel("of the store's version")
    }

    // 3. The mapping models.
    let mappingModels = try mappingModels(from: sourceModel, to: destinationModel)

    // 4. One manager for all passes, so that a pass finds the objects that earlier passes made.
    let manager = NSMigrationManager(sourceModel: sourceModel, destinationModel: destinationModel)
    for (index, (name, mappingModel)) in mappingModels.enumerated() {
      var progress = PassProgress(pass: index + 1, of: mappingModels.count, name: name)
      let observation = manager.observe(\.migrationProgress, options: [.new]) { manager, change in
        let part = change.newValue ?? 0
        if let line = progress.line(for: part, in: manager.currentEntityMapping.name) { print(line) }
      }
      try manager.migrateStore(
        from: store, sourceType: NSSQLiteStoreType, options: nil, with: mappingModel,
        toDestinationURL: output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
      observation.invalidate()
    }

    // 5. Now the store can be opened with the current model.
    let result = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: output, options: nil)
    guard destinationModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: result) else {
      throw Problem.otherVersion(output)
    }
    print("\(output.lastPathComponent) is of the current version.")
  }

  /// The mapping models of `passNames`; without names, the one that fits both models, or else the inferred one.
  private func mappingModels(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> [(name: String, model: NSMappingModel)] {
    if !passNames.isEmpty {
      return try passNames.map { name in
        let url = bundle.url(forResource: name, withExtension: "xcmappingmodel")
        guard let model = NSMappingModel(contentsOf: url) else { throw Problem.noMappingModel(name) }
        return (name, model)
      }
    }
    if let model = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination) {
      return [("the mapping model that fits", model)]
    }
    let model = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    return [("inferred", model)]
  }

  enum Problem: Error, CustomStringConvertible {
    case noModel(String)
    case noMappingModel(String)
    case otherVersion(URL)

    var description: String {
      switch self {
      case .noModel(let which): "The bundle has no model \(which)."
      case .noMappingModel(let name): "The bundle has no mapping model “\(name)”."
      case .otherVersion(let url): "\(url.path) isn't of the current version."
      }
    }
  }
}
