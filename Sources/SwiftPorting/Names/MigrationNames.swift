/// Names of Core Data that show whether a file takes part in migrations.
enum MigrationNames {
  static let policy = "NSEntityMigrationPolicy"
  static let object = "NSManagedObject"
  static let manager = "NSMigrationManager"

  /// A file that uses one of these names takes part in migrations.
  static let all: Set = [
    policy, manager, "NSMappingModel", "NSEntityMapping", "NSPropertyMapping", "NSStagedMigrationManager",
    "NSCustomMigrationStage", "NSLightweightMigrationStage", "NSManagedObjectModelReference",
    "NSMigratePersistentStoresAutomaticallyOption", "NSInferMappingModelAutomaticallyOption",
    "NSPersistentStoreStagedMigrationManagerOptionKey", "NSMigrationSourceObjectKey",
    "NSMigrationDestinationObjectKey", "NSMigrationManagerKey", "NSMigrationEntityMappingKey",
    "NSMigrationPropertyMappingKey", "NSMigrationEntityPolicyKey", "shouldMigrateStoreAutomatically",
    "shouldInferMappingModelAutomatically", "migratePersistentStore", "replacePersistentStore",
  ]
  /// The base classes of value transformers, which make the values of transformable attributes.
  static let transformers: Set = ["ValueTransformer", "NSSecureUnarchiveFromDataTransformer"]
}
