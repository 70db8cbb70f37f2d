internal import DecantSQLite
internal import DecantStore
internal import Foundation

extension CoreDataError {
  /// The error of a store that can't be opened or copied, with a sentence that says what to do about it.
  convenience init(_ error: StoreError) {
    self.init(Self.code(of: error), "\(error) \(error.advice)")
  }

  private static func code(of error: StoreError) -> Int {
    switch error {
    case .noSuchFile: CocoaError.fileReadNoSuchFile.rawValue
    case .notSQLite, .probablyEncrypted, .truncated, .damaged, .empty, .damagedXML, .damagedMetadata,
      .xmlContent, .notXMLStore, .notCoreData, .foreignLog:
      CocoaError.fileReadCorruptFile.rawValue
    case .unreadable: CocoaError.fileReadNoPermission.rawValue
    case .binaryStore, .xmlStore: NSPersistentStoreInvalidTypeError
    case .files(_, let action, let number, _): code(action, number)
    case .sqlite(let error):
      error.isDamage ? CocoaError.fileReadCorruptFile.rawValue : NSPersistentStoreOpenError
    default: NSPersistentStoreOpenError
    }
  }

  private static func code(_ action: String, _ number: Int32) -> Int {
    switch number {
    case ENOSPC, EDQUOT: CocoaError.fileWriteOutOfSpace.rawValue
    case ENOENT where action == "read": CocoaError.fileReadNoSuchFile.rawValue
    case EACCES, EPERM, EROFS:
      action == "read" || action == "listed"
        ? CocoaError.fileReadNoPermission.rawValue : CocoaError.fileWriteNoPermission.rawValue
    default: NSPersistentStoreOpenError
    }
  }

  /// Does work on a store's files; each error becomes a `CoreDataError`.
  static func of<Result>(_ path: String, _ work: () throws -> Result) throws(CoreDataError) -> Result {
    do {
      return try work()
    } catch let error as CoreDataError {
      throw error
    } catch let error as StoreError {
      throw CoreDataError(error)
    } catch let error as SQLiteError {
      throw CoreDataError(StoreError.sqlite(error))
    } catch {
      throw CoreDataError(NSPersistentStoreOpenError, "\(path): \(error)")
    }
  }
}
