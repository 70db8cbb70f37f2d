internal import DecantModel
internal import DecantPolicies
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// A staged migration manager, as an option of `addPersistentStore`.
protocol StoreStages {
  /// Makes a store of the final model from an SQLite store.
  ///
  /// - Parameters:
  ///   - sourceModel: Finds the store's model from its metadata; called if neither a custom stage's model nor the final
  ///     model is the store's model.
  ///   - mapping: Gives the mapping model between the models of a custom stage; nil if there is none.
  func migrate(
    _ store: URL, to result: URL, finalModel: ModelDescription,
    sourceModel: ([String: Any]) throws -> ModelDescription, registry: PolicyRegistry,
    mapping: (ModelDescription, ModelDescription) -> MigrationMappingModel?
  ) throws
}

/// The migration of a store in its place, as the options of `addPersistentStore` ask for it (`StorePlacement`).
struct StoreUpgrade {
  let place: StorePlace
  /// The destination model, or the part of it that a configuration has.
  let model: ManagedObjectModel
  let configuration: String?
  /// Groups of folders with models and mapping models.
  ///
  /// A group is searched only if the earlier groups don't have the model or mapping model that is needed.
  let folders: [[URL]]
  let registry: PolicyRegistry

  /// - Parameters:
  ///   - infers: Whether the mapping is inferred if there is no mapping model.
  ///   - stages: The stages that lead to the model; nil for one step.
  /// - Throws: `CoreDataError`, or the error that a policy gave to `cancelMigrationWithError`. Then the store's content
  ///   is unchanged, except if the error came after the rename (`StorePlacement.put`).
  func run(infers: Bool, stages: (any StoreStages)?) throws {
    let before = place.state
    let metadata = try MetadataFile.read(place, type: nil)
    guard metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType else {
      throw CoreDataError(
        NSMigrationError,
        "\(place.path) is an XML store, and a migration makes SQLite stores only. Migrate it to another file with "
          + "NSMigrationManager.")
    }
    let folder = try PrivateFolder(beside: place)
    let result = try CoreDataError.of(place.path) {
      try StorePlace(try folder.makeFolder("migrated").appendingPathComponent(place.url.lastPathComponent))
    }
    let destination = ModelDescription(model)
    if let stages {
      try stages.migrate(
        place.url, to: result.url, finalModel: destination, sourceModel: sourceModel, registry: registry,
        mapping: found(from:to:))
    } else {
      let source = try sourceModel(metadata)
      let manager = MigrationManager(sourceModel: source, destinationModel: destination)
      manager.registry = registry
      try manager.migrateStore(
        from: place.url, sourceType: NSSQLiteStoreType,
        with: try mapping(from: source, to: destination, infers: infers), toDestinationURL: result.url,
        destinationType: NSSQLiteStoreType)
    }
    guard place.state == before else {
      throw CoreDataError(
        NSMigrationError,
        "\(place.path) was changed by another program while it was migrated. Close it there, then try again.")
    }
    try StorePlacement.put(result, at: place, scratch: folder)
  }

  private func found(
    from source: ModelDescription, to destination: ModelDescription
  ) -> MigrationMappingModel? {
    for group in folders {
      let found = MigrationMappingModel(
        inFolders: group, forSourceModel: source, destinationModel: destination)
      if let found { return found }
    }
    return nil
  }

  private func mapping(
    from source: ModelDescription, to destination: ModelDescription, infers: Bool
  ) throws -> MigrationMappingModel {
    if let found = found(from: source, to: destination) { return found }
    guard infers else {
      throw CoreDataError(
        NSMigrationMissingMappingModelError,
        "There is no mapping model from the model of \(place.path) to the coordinator's model. Add a mapping model to "
          + "the bundle or to modelFolders, or set NSInferMappingModelAutomaticallyOption.")
    }
    return try MigrationMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
  }

  /// The model with which the store was written: a model in a folder, or the model that the store itself keeps.
  private func sourceModel(_ metadata: [String: Any]) throws -> ModelDescription {
    guard let hashes = StoreHashes(metadata)?.hashes else {
      throw CoreDataError(StoreError.noVersionHashes(path: place.path))
    }
    var problems: [String] = []
    for group in folders {
      let found = ModelSearch.models(in: group)
      do {
        if let model = try ModelDescription.merged(ModelSearch.fitting(found.items, hashes)) { return model }
      } catch {
        problems.append("\(error)")
      }
      if let model = part(of: found.items, with: hashes) { return model }
      problems += found.problems + found.unlisted
    }
    let own = try CoreDataError.of(place.path) {
      let scratch = try PrivateFolder()
      return try SourceStore.open(place.path, scratch: scratch.path("copy"), checksPages: false).cachedModel()
    }
    if let own { return ModelDescription(own.model) }
    throw CoreDataError(
      NSMigrationMissingSourceModelError,
      ModelSearch.Found<URL>(problems: problems).withProblems(
        "The model of \(place.path) wasn't found, and the store keeps none. Add the model's bundle with all versions to "
          + "the program's bundle, or name its folder in the coordinator's modelFolders"))
  }

  private func part(of bundles: [ModelBundle], with hashes: EntityVersionHashes) -> ModelDescription? {
    guard let configuration else { return nil }
    let parts = bundles.flatMap(\.versions).lazy.compactMap {
      (try? $0.model.configured(configuration)) ?? nil
    }
    return parts.first { $0.entityVersionHashes == hashes }.map { ModelDescription($0) }
  }
}
