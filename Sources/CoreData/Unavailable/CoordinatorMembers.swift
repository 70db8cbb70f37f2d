// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import Foundation

extension NSPersistentStoreCoordinator {
  @available(
    *, unavailable,
    message:
      "remove the store, copy its file with replacePersistentStore(at:withPersistentStoreFrom:type:), and add it again"
  )
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { false }

  @available(*, unavailable, message: "a migration is complete when the store is opened; take it out")
  public func finishDeferredLightweightMigration() throws {}

  @available(*, unavailable, message: "a migration is complete when the store is opened; take it out")
  public func finishDeferredLightweightMigrationTask() throws {}

  @available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
  public class func elementsDerivedFromExternalRecord(at url: URL) -> [AnyHashable: Any] { [:] }

  @available(*, unavailable, message: "external records for Spotlight aren't written; take it out")
  public func importStore(
    withIdentifier identifier: String?, fromExternalRecordsDirectoryURL folder: URL, toURL url: URL,
    options: [AnyHashable: Any]?, ofType storeType: String
  ) throws -> NSPersistentStore? { nil }

  @available(*, unavailable, message: "a worker doesn't sync with iCloud; use destroyPersistentStore(at:type:)")
  public class func removeUbiquitousContentAndPersistentStore(
    at storeURL: URL, options: [AnyHashable: Any]?
  ) throws {}

  @available(*, unavailable, message: "use metadataForPersistentStore(ofType:at:options:)")
  public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] { [:] }

  @available(*, unavailable, message: "use performAndWait")
  public func unlock() {}

  @available(*, unavailable, message: "use performAndWait")
  public func tryLock() -> Bool { false }
}
