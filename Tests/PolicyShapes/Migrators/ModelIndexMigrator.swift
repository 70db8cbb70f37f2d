import CoreData

/// Finds the next version by a model's index in a list of models.
///
/// It stands for: `models.firstIndex(of:)`, `first(where:)` with `==`, models as keys of a dictionary and in a
/// set, and `mergedModel(from:forStoreMetadata:)`, which reads the store's model once more.
public final class ModelIndexMigrator {
  private let bundle: Bundle
  private let models: [NSManagedObjectModel]
  private let names: [NSManagedObjectModel: String]

  public init(bundle: Bundle, versions: [String]) {
    self.bundle = bundle
    let pairs = versions.compactMap { name -> (NSManagedObjectModel, String)? in
      let url = bundle.url(forResource: name, withExtension: "mom", subdirectory: "Agenda.momd")
      return url.flatMap { NSManagedObjectModel(contentsOf: $0) }.map { ($0, name) }
    }
    models = pairs.map { $0.0 }
    names = Dictionary(uniqueKeysWithValues: pairs)
  }

  /// The names of the store's version and of all later versions.
  public func route(ofStoreAt url: URL) throws -> [String] {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
    guard let storeModel = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata),
      let index = models.firstIndex(of: storeModel)
    else { return [] }
    let rest = models.suffix(from: index)
    guard rest.first(where: { $0 == storeModel }) != nil, Set(rest).contains(storeModel) else { return [] }
    return rest.map { names[$0] ?? "?" }
  }

  /// - Returns: Whether the store had to be migrated.
  public func migrate(_ url: URL, to output: URL) throws -> Bool {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
    guard let source = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata),
      let index = models.firstIndex(of: source), index < models.count - 1
    else { return false }
    let destination = models[index + 1]
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: output,
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
    return true
  }
}
