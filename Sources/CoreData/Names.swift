public import DecantMapping
public import DecantModel
public import DecantPolicies
public import DecantTransformers

// Core Data's names for the engine's classes, as policies use them. docs/core-data-names.md lists the differences from
// Apple's classes.

public typealias NSManagedObject = ManagedObject
public typealias NSManagedObjectContext = ManagedObjectContext
public typealias NSManagedObjectID = ManagedObjectID
public typealias NSManagedObjectModel = ModelDescription
public typealias NSEntityDescription = EntityDescription
public typealias NSPropertyDescription = PropertyDescription
public typealias NSAttributeDescription = AttributeDescription
public typealias NSRelationshipDescription = RelationshipDescription
public typealias NSDerivedAttributeDescription = DerivedAttributeDescription
public typealias NSCompositeAttributeDescription = CompositeAttributeDescription
public typealias NSAttributeType = AttributeType
public typealias NSDeleteRule = DeleteRule
public typealias NSMappingModel = MigrationMappingModel
public typealias NSEntityMapping = MigrationEntityMapping
public typealias NSPropertyMapping = MigrationPropertyMapping
public typealias NSEntityMappingType = EntityMappingType
public typealias NSEntityMigrationPolicy = EntityMigrationPolicy
public typealias NSMigrationManager = MigrationManager

// Foundation's names, which don't exist on Linux.
public typealias ValueTransformer = DecantTransformers.ValueTransformer
public typealias NSValueTransformerName = ValueTransformerName
public typealias NSSecureUnarchiveFromDataTransformer = SecureUnarchiveTransformer

// These types are Decant's own. With the aliases, a policy file needs no second import.
public typealias ResumableMigrationPolicy = DecantPolicies.ResumableMigrationPolicy
public typealias MigrationFunctions = DecantPolicies.MigrationFunctions
