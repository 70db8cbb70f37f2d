// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The name is Core Data's.

/// The option of a store that has a staged migration manager as its value.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
