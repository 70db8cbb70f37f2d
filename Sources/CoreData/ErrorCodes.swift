// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Data's.

public import Foundation

// Core Data's error codes in NSCocoaErrorDomain, as CoreDataErrors.h documents them.

public let NSManagedObjectValidationError = 1550
public let NSManagedObjectConstraintValidationError = 1551
public let NSValidationMultipleErrorsError = 1560
public let NSValidationMissingMandatoryPropertyError = 1570
public let NSValidationRelationshipLacksMinimumCountError = 1580
public let NSValidationRelationshipExceedsMaximumCountError = 1590
public let NSValidationRelationshipDeniedDeleteError = 1600
public let NSValidationNumberTooLargeError = 1610
public let NSValidationNumberTooSmallError = 1620
public let NSValidationDateTooLateError = 1630
public let NSValidationDateTooSoonError = 1640
public let NSValidationInvalidDateError = 1650
public let NSValidationStringTooLongError = 1660
public let NSValidationStringTooShortError = 1670
public let NSValidationStringPatternMatchingError = 1680
public let NSValidationInvalidURIError = 1690
public let NSPersistentStoreInvalidTypeError = 134_000
public let NSPersistentStoreTypeMismatchError = 134_010
public let NSPersistentStoreIncompatibleSchemaError = 134_020
public let NSPersistentStoreSaveError = 134_030
public let NSPersistentStoreIncompleteSaveError = 134_040
public let NSPersistentStoreOperationError = 134_070
public let NSPersistentStoreOpenError = 134_080
public let NSPersistentStoreTimeoutError = 134_090
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
public let NSMigrationError = 134_110
public let NSMigrationConstraintViolationError = 134_111
public let NSMigrationCancelledError = 134_120
public let NSMigrationMissingSourceModelError = 134_130
public let NSMigrationMissingMappingModelError = 134_140
public let NSMigrationManagerSourceStoreError = 134_150
public let NSMigrationManagerDestinationStoreError = 134_160
public let NSEntityMigrationPolicyError = 134_170
public let NSInferredMappingModelError = 134_190
public let NSCoreDataError = 134_060
public let NSSQLiteError = 134_180

public let NSDetailedErrorsKey = "NSDetailedErrors"
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
public let NSValidationValueErrorKey = "NSValidationErrorValue"
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"

extension CocoaError.Code {
  public static var managedObjectValidation: Self { Self(rawValue: NSManagedObjectValidationError) }
  public static var validationMultipleErrors: Self { Self(rawValue: NSValidationMultipleErrorsError) }
  public static var validationMissingMandatoryProperty: Self {
    Self(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  public static var validationStringPatternMatching: Self {
    Self(rawValue: NSValidationStringPatternMatchingError)
  }
  public static var persistentStoreOpen: Self { Self(rawValue: NSPersistentStoreOpenError) }
  public static var persistentStoreIncompatibleVersionHash: Self {
    Self(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  public static var migration: Self { Self(rawValue: NSMigrationError) }
  public static var migrationCancelled: Self { Self(rawValue: NSMigrationCancelledError) }
  public static var migrationMissingSourceModel: Self { Self(rawValue: NSMigrationMissingSourceModelError) }
  public static var migrationMissingMappingModel: Self { Self(rawValue: NSMigrationMissingMappingModelError) }
  public static var migrationManagerSourceStore: Self { Self(rawValue: NSMigrationManagerSourceStoreError) }
  public static var migrationManagerDestinationStore: Self {
    Self(rawValue: NSMigrationManagerDestinationStoreError)
  }
  public static var entityMigrationPolicy: Self { Self(rawValue: NSEntityMigrationPolicyError) }
  public static var inferredMappingModel: Self { Self(rawValue: NSInferredMappingModelError) }
  public static var coreData: Self { Self(rawValue: NSCoreDataError) }
  public static var managedObjectReferentialIntegrity: Self {
    Self(rawValue: NSManagedObjectReferentialIntegrityError)
  }
}

// Apps also write `catch CocoaError.migrationCancelled`, without `Code`.
extension CocoaError {
  public static var managedObjectValidation: Code { .managedObjectValidation }
  public static var validationMultipleErrors: Code { .validationMultipleErrors }
  public static var validationMissingMandatoryProperty: Code { .validationMissingMandatoryProperty }
  public static var validationStringPatternMatching: Code { .validationStringPatternMatching }
  public static var persistentStoreOpen: Code { .persistentStoreOpen }
  public static var persistentStoreIncompatibleVersionHash: Code { .persistentStoreIncompatibleVersionHash }
  public static var migration: Code { .migration }
  public static var migrationCancelled: Code { .migrationCancelled }
  public static var migrationMissingSourceModel: Code { .migrationMissingSourceModel }
  public static var migrationMissingMappingModel: Code { .migrationMissingMappingModel }
  public static var migrationManagerSourceStore: Code { .migrationManagerSourceStore }
  public static var migrationManagerDestinationStore: Code { .migrationManagerDestinationStore }
  public static var entityMigrationPolicy: Code { .entityMigrationPolicy }
  public static var inferredMappingModel: Code { .inferredMappingModel }
  public static var coreData: Code { .coreData }
  public static var managedObjectReferentialIntegrity: Code { .managedObjectReferentialIntegrity }
}
