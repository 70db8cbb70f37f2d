// swift-format-ignore-file: OrderedImports
// Imports Foundation before Core Data, as apps do in files that use both.
//
// It stands for: `NSExpression(format:)` and `NSPredicate(format:)` after `import Foundation`.

import Foundation
import CoreData

final class FoundationFirstPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let isCasa = NSPredicate(format: "categoria == %@", "casa").evaluate(with: sInstance)
    let expression: NSExpression = NSExpression(format: "orden * %@", NSNumber(value: 2))
    let doubled = expression.expressionValue(with: sInstance, context: nil) as? NSNumber
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    made.first?.setValue("\(isCasa ? "casa" : "otra") \(doubled?.intValue ?? -1)", forKey: "titulo")
  }
}
