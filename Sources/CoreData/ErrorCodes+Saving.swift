// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Data's.

// Further codes of CoreDataErrors.h. Nothing here throws them, except 133000; apps name them where they handle errors.

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
