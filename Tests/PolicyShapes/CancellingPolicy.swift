import CoreData
import Foundation

/// Cancels the migration through the manager if a rule of the app is broken.
///
/// It stands for: `performCustomValidation(forMapping:manager:)`, `cancelMigrationWithError(_:)`,
/// `migrationProgress`, and `endInstanceCreation(forMapping:manager:)`.
class CancellingPolicy: NSEntityMigrationPolicy {
  let domain = "Notas Migration"

  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Nota")
    request.predicate = NSPredicate(format: "texto BEGINSWITH[cd] %@ OR texto == nil", "secreto")
    let found = try manager.destinationContext.fetch(request)
    if found.isEmpty == false {
      let error = NSError(
        domain: domain, code: NSValidationMissingMandatoryPropertyError,
        userInfo: [NSLocalizedDescriptionKey: "\(found.count) secret notes"])
      manager.cancelMigrationWithError(error)
    }
    let percent = NumberFormatter()
    percent.numberStyle = .percent
    _ = percent.string(from: NSNumber(value: manager.migrationProgress))
  }

  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    if OperationQueue.current?.operations.first?.isCancelled ?? false { throw CocoaError(.userCancelled) }
  }
}
