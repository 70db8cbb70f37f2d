import CoreData
import UIKit

/// Imports UIKit, as Xcode's templates do, and uses only names of Foundation.
///
/// It stands for: `import UIKit`.
class ColourPolicy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let title = dInstance.value(forKey: "texto") as? String
    dInstance.setValue(title.map { NSString(string: $0).uppercased }, forKey: "texto")
  }
}
