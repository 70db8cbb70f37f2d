import CoreData
import Foundation

/// Imports Foundation after Core Data, and evaluates a function call with the object.
///
/// It stands for: `NSExpression(forFunction:arguments:)`, `NSExpression(forKeyPath:)`,
/// `NSSortDescriptor(key:ascending:)`, and `sourceContext`.
final class FoundationLastPolicy: NSEntityMigrationPolicy {
  private let length: NSExpression = NSExpression(
    forFunction: "uppercase:", arguments: [NSExpression(forKeyPath: "texto")])

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Nota")
    request.sortDescriptors = [NSSortDescriptor(key: "orden", ascending: false)]
    let last = try manager.sourceContext.fetch(request).first
    let text = length.expressionValue(with: sInstance, context: nil) as? String
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    made.first?.setValue("\(text ?? "-")\(last?.objectID == sInstance.objectID ? "!" : "")", forKey: "titulo")
  }
}
