// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

@available(*, unavailable, message: "it has no effect here; take it out")
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"

@available(*, unavailable, message: "it has no effect here; take it out")
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSizeKey"

@available(*, unavailable, message: "it has no effect here; take it out")
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

@available(
  *, unavailable,
  message: "compare NSStoreModelVersionHashesKey, or ask isConfiguration(withName:compatibleWithStoreMetadata:)"
)
public let NSPersistentStoreModelVersionChecksumKey = "NSPersistentStoreModelVersionChecksumKey"

@available(*, unavailable, message: "a migration is complete when the store is opened; take it out")
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

@available(*, unavailable, message: "a worker doesn't sync with iCloud; take it out")
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"

@available(*, unavailable, message: "a worker doesn't sync with iCloud; take it out")
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"

@available(*, unavailable, message: "a worker doesn't sync with iCloud; take it out")
public let NSPersistentStoreUbiquitousPeerTokenOption = "NSPersistentStoreUbiquitousPeerTokenOption"

@available(*, unavailable, message: "a worker doesn't sync with iCloud; take it out")
public let NSPersistentStoreRemoveUbiquitousMetadataOption = "NSPersistentStoreRemoveUbiquitousMetadataOption"

@available(*, unavailable, message: "a worker doesn't sync with iCloud; take it out")
public let NSPersistentStoreRebuildFromUbiquitousContentOption =
  "NSPersistentStoreRebuildFromUbiquitousContentOption"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSXMLExternalRecordType = "NSXMLExternalRecordType"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSBinaryExternalRecordType = "NSBinaryExternalRecordType"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSExternalRecordsFileFormatOption = "NSExternalRecordsFileFormatOption"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSExternalRecordsDirectoryOption = "NSExternalRecordsDirectoryOption"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSExternalRecordExtensionOption = "NSExternalRecordExtensionOption"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSEntityNameInPathKey = "NSEntityNameInPathKey"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSStoreUUIDInPathKey = "NSStoreUUIDInPathKey"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSStorePathKey = "NSStorePathKey"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSModelPathKey = "NSModelPathKey"

@available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
public let NSObjectURIKey = "NSObjectURIKey"

@available(*, unavailable, message: "binary stores can't be read; convert them to SQLite on a Mac first")
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"

@available(*, unavailable, message: "binary stores can't be read; convert them to SQLite on a Mac first")
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"

@available(
  *, unavailable,
  message: "stores can't be changed outside of a migration, so there is nothing to merge; take it out"
)
public let NSPersistentStoreSaveConflictsErrorKey = "NSPersistentStoreSaveConflictsErrorKey"

@available(*, unavailable, message: "the error's description names the object, the property and the reason")
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"

@available(*, unavailable, message: "the error's description names the object, the property and the reason")
public let NSValidationPredicateErrorKey = "NSValidationPredicateErrorKey"

@available(*, unavailable, message: "the error's description names the object, the property and the reason")
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
