public import DecantPolicies
public import Foundation

extension MigrationManager {
  /// Migrates a store, as the method with `sourceType:` does.
  public func migrateStore(
    from sourceURL: URL, type sourceStoreType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil, mapping: MigrationMappingModel, to destinationURL: URL,
    type destinationStoreType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceStoreType.rawValue, options: sourceOptions, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationStoreType.rawValue,
      destinationOptions: destinationOptions)
  }
}
