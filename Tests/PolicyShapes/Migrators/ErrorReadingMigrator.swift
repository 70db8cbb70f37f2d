import CoreData

/// Makes a message for the user from a migration's error.
///
/// It stands for: `catch let error as NSError` with Core Data's codes, `CocoaError` codes, `localizedDescription`, and
/// `cancelMigrationWithError` with an error of the app before the migration begins.
public struct ErrorReadingMigrator {
  public init() {}

  public func message(of work: () throws -> Void) -> String {
    do {
      try work()
      return "done"
    } catch let error as NSError where error.code == NSMigrationMissingMappingModelError {
      return "no mapping model"
    } catch let error as NSError where error.code == NSInferredMappingModelError {
      return "not inferable: \(error.localizedDescription)"
    } catch let error as NSError
      where error.code == CocoaError.Code.persistentStoreIncompatibleVersionHash.rawValue
    {
      return "other model"
    } catch let error as AppError {
      return "app: \(error.reason)"
    } catch {
      return "unknown: \(error)"
    }
  }

  public struct AppError: Error {
    public let reason: String
  }

  public func cancel(_ manager: NSMigrationManager, because reason: String) {
    manager.cancelMigrationWithError(AppError(reason: reason))
  }
}
