import CoreData

/// Finds a store's version by comparing version hashes.
///
/// It stands for: `NSStoreModelVersionHashesKey` of metadata as `[String: Data]`, `entityVersionHashesByName`, and a
/// list of compatible hashes for each version.
public struct HashComparer {
  public let versions: [(name: String, model: NSManagedObjectModel)]

  public init(versions: [(name: String, model: NSManagedObjectModel)]) { self.versions = versions }

  public func name(ofStoreAt url: URL) throws -> String? {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    guard let compatibleVersionHashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
      return nil
    }
    return versions.first { $0.model.entityVersionHashesByName == compatibleVersionHashes }?.name
  }

  /// The entities whose hashes differ between two versions.
  public func changedEntities(from old: String, to new: String) -> [String] {
    guard let from = versions.first(where: { $0.name == old })?.model,
      let to = versions.first(where: { $0.name == new })?.model
    else { return [] }
    return to.entities.filter { from.entityVersionHashesByName[$0.name ?? ""] != $0.versionHash }
      .compactMap { $0.name }.sorted()
  }
}
