// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Data's.

// Further codes of CoreDataErrors.h. Decant itself throws only 133000 and 133021. The others are here because apps name
// them in their error handling.

public let NSManagedObjectContextLockingError = 132_000
public let NSPersistentStoreCoordinatorLockingError = 132_010
public let NSManagedObjectReferentialIntegrityError = 133_000
public let NSManagedObjectExternalRelationshipError = 133_010
public let NSManagedObjectMergeError = 133_020
public let NSManagedObjectConstraintMergeError = 133_021
public let NSPersistentStoreSaveConflictsError = 134_050
public let NSPersistentStoreUnsupportedRequestTypeError = 134_091
public let NSExternalRecordImportError = 134_200
public let NSPersistentHistoryTokenExpiredError = 134_301
