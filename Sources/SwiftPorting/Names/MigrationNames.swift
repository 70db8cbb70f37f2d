/// Names of Core Data that say what a file is for.
enum MigrationNames {
  static let policy = "NSEntityMigrationPolicy"
  static let object = "NSManagedObject"
  static let manager = "NSMigrationManager"

  /// A file that uses one of them takes part in migrations.
  static let all: Set = [
    policy, manager, "NSMappingModel", "NSEntityMapping", "NSPropertyMapping", "NSStagedMigrationManager",
    "NSCustomMigrationStage", "NSLightweightMigrationStage", "NSManagedObjectModelReference",
    "NSMigratePersistentStoresAutomaticallyOption", "NSInferMappingModelAutomaticallyOption",
    "NSPersistentStoreStagedMigrationManagerOptionKey", "NSMigrationSourceObjectKey",
    "NSMigrationDestinationObjectKey", "NSMigrationManagerKey", "NSMigrationEntityMappingKey",
    "NSMigrationPropertyMappingKey", "NSMigrationEntityPolicyKey", "shouldMigrateStoreAutomatically",
    "shouldInferMappingModelAutomatically", "migratePersistentStore", "replacePersistentStore",
  ]
  /// A class above one of these belongs to a store's values.
  static let transformers: Set = ["ValueTransformer", "NSSecureUnarchiveFromDataTransformer"]
}
