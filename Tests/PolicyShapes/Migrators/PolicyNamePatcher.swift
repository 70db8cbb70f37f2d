import CoreData

/// Changes a mapping model of the bundle before it runs.
///
/// It stands for: setting `entityMigrationPolicyClassName` with the module of the running program, and version hashes
/// that changed after the mapping model was saved.
public struct PolicyNamePatcher {
  public let bundle: Bundle

  public init(bundle: Bundle) { self.bundle = bundle }

  public func mapping(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel, policy: String
  ) -> NSMappingModel? {
    guard let mapping = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination)
    else { return nil }
    let sourceHashes = source.entityVersionHashesByName
    let destinationHashes = destination.entityVersionHashesByName
    for entityMapping in mapping.entityMappings {
      if let name = entityMapping.sourceEntityName {
        entityMapping.sourceEntityVersionHash = sourceHashes[name]
      }
      if let name = entityMapping.destinationEntityName {
        entityMapping.destinationEntityVersionHash = destinationHashes[name]
      }
      guard entityMapping.entityMigrationPolicyClassName != nil else { continue }
      entityMapping.entityMigrationPolicyClassName = policy
    }
    return mapping
  }
}
