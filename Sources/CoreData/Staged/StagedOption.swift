// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The name is Core Data's.

/// The key of a store's option; the value is an `NSStagedMigrationManager`.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
