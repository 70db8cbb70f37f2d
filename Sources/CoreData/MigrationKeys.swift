// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Data's.

// The names of the variables of a value expression. In `NSExpression.expressionValue(with:context:)`, they are keys of
// the context.

/// The migration manager, `$manager`.
public let NSMigrationManagerKey = "manager"
/// The source object, `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The destination object, `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The entity mapping, `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The property mapping, `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The policy, `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"
