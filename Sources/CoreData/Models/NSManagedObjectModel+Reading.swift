internal import DecantModel
public import DecantPolicies
public import Foundation

extension ModelDescription {
  /// Reads a model: an `.xcdatamodel` or `.mom`, or the current version of an `.xcdatamodeld` or `.momd`.
  ///
  /// - Returns: nil if no model can be read. A line on standard error gives the reason, which `model(at:)` throws.
  public convenience init?(contentsOf url: URL) {
    do throws(ModelError) {
      self.init(try Self.read(url))
    } catch {
      LogLine.write("NSManagedObjectModel(contentsOf:): \(error)")
      return nil
    }
  }

  /// Reads a model as `init(contentsOf:)` does.
  ///
  /// - Throws: `CoreDataError` that names the file and the problem.
  public static func model(at url: URL) throws -> ModelDescription {
    do {
      return ModelDescription(try read(url))
    } catch {
      throw CoreDataError(NSMigrationMissingSourceModelError, "\(error)")
    }
  }

  private static func read(_ url: URL) throws(ModelError) -> ModelBundle.Version {
    try ModelBundle.read(at: url).currentVersion()
  }

  convenience init(_ version: ModelBundle.Version) {
    self.init(version.model)
    file = URL(fileURLWithPath: version.path)
  }

  /// The current models of bundles, merged.
  ///
  /// The result is nil if there are no models, if models contradict each other, or if a bundle of model versions
  /// doesn't state which version is the current one. The result is also nil if a model or the folder of an application
  /// bundle can't be read, because entities would be missing. A line on standard error gives the reason, except if
  /// there are no models.
  ///
  /// - Parameter bundles: nil for the main bundle.
  public static func mergedModel(from bundles: [Bundle]?) -> ModelDescription? {
    mergedModel(inFolders: ModelSearch.folders(of: bundles))
  }

  /// The models of folders, merged as in `mergedModel(from:)`.
  public static func mergedModel(inFolders folders: [URL]) -> ModelDescription? {
    do {
      return try currentModel(inFolders: folders)
    } catch {
      LogLine.write("mergedModel(from:): \(error)")
      return nil
    }
  }

  /// The current models of folders, merged; nil if there are none.
  ///
  /// - Throws: `CoreDataError` or `ModelError`, with the model that can't be used.
  static func currentModel(inFolders folders: [URL]) throws -> ModelDescription? {
    let found = ModelSearch.models(in: folders)
    guard found.problems.isEmpty else {
      throw CoreDataError(
        NSMigrationMissingSourceModelError,
        found.withProblems("The models can't be merged, because the result would lack entities"))
    }
    if found.items.isEmpty { for line in found.unlisted { LogLine.write("mergedModel(from:): \(line)") } }
    return try merged(found.items.map { try $0.currentVersion() })
  }

  /// The model with which a store was written.
  ///
  /// If several models together have the store's entities, they are merged. If a bundle has several versions, the
  /// version with the store's hashes is used. The result is nil if the model isn't found, or if the metadata have no
  /// version hashes. If the model isn't found, a line on standard error names each model that can't be read, because
  /// this model may be the store's model.
  ///
  /// - Parameter metadata: The result of `NSPersistentStoreCoordinator.metadataForPersistentStore(…)`.
  public static func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> ModelDescription? {
    mergedModel(inFolders: ModelSearch.folders(of: bundles), forStoreMetadata: metadata)
  }

  /// Does the same as `mergedModel(from:forStoreMetadata:)` for folders.
  public static func mergedModel(
    inFolders folders: [URL], forStoreMetadata metadata: [String: Any]
  ) -> ModelDescription? {
    guard let hashes = StoreHashes(metadata)?.hashes else { return nil }
    let found = ModelSearch.models(in: folders, with: hashes)
    var problems = found.problems + found.unlisted
    do {
      if let model = try merged(found.items) { return model }
    } catch {
      problems.append("\(error)")
    }
    for problem in problems { LogLine.write("mergedModel(from:forStoreMetadata:): \(problem)") }
    return nil
  }

  static func merged(_ versions: [ModelBundle.Version]) throws -> ModelDescription? {
    guard let first = versions.first else { return nil }
    if versions.count == 1 { return ModelDescription(first) }
    return ModelDescription(try ManagedObjectModel.merging(versions.map(\.model)))
  }

  /// Merges models; nil if they contradict each other, or if `models` is nil.
  public convenience init?(byMerging models: [ModelDescription]?) {
    guard let models, let merged = try? ManagedObjectModel.merging(models.map(\.model)) else { return nil }
    self.init(merged)
  }

  /// Merges the models whose version hashes are in a store's metadata.
  ///
  /// The result is nil if the merged model doesn't have exactly the store's entities, if the models contradict each
  /// other, or if the metadata have no version hashes.
  public convenience init?(byMerging models: [ModelDescription], forStoreMetadata metadata: [String: Any]) {
    guard let hashes = StoreHashes(metadata)?.hashes else { return nil }
    let fitting = models.map(\.model).filter { $0.isPart(of: hashes) }
    guard let merged = try? ManagedObjectModel.merging(fitting), merged.entityVersionHashes == hashes else {
      return nil
    }
    self.init(merged)
  }

  /// Whether this model can open a store: the entities' version hashes are the same.
  ///
  /// A configuration that the model doesn't have, or that isn't valid, opens no store.
  ///
  /// - Parameters:
  ///   - configuration: The configuration's name; nil for all entities.
  ///   - metadata: The result of `NSPersistentStoreCoordinator.metadataForPersistentStore(…)`.
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let stored = StoreHashes(metadata)?.hashes else { return false }
    guard let configuration else { return model.entityVersionHashes == stored }
    guard let members = try? model.configured(configuration) else { return false }
    return members.entityVersionHashes == stored
  }
}
