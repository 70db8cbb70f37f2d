import CoreData

/// Throws an error if the result breaks a rule of the app.
///
/// It stands for: `performCustomValidation`, a fetch with `NSCompoundPredicate`, and an `NSError` with Core Data's
/// code, `NSValidationObjectErrorKey` and `NSDetailedErrorsKey`.
final class ValidatingPolicy: NSEntityMigrationPolicy {
  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
  {
    let request: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: "Contacto")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "edad != nil"), NSPredicate(format: "nombre == %@", "Zoe"),
    ])
    let broken = try manager.destinationContext.fetch(request)
    guard let first = broken.first else { return }
    let detail = NSError(
      domain: NSCocoaErrorDomain, code: NSValidationStringPatternMatchingError,
      userInfo: [NSValidationObjectErrorKey: first, NSValidationKeyErrorKey: "edad"])
    throw NSError(
      domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
      userInfo: [NSDetailedErrorsKey: [detail], NSLocalizedDescriptionKey: "Zoe has no age"])
  }
}
