// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// Makes copies of models without the app's classes, for a migration.
///
/// It stands for: `copy()` of a model, a loop that sets `managedObjectClassName`, and `NSStringFromClass`.
extension NSManagedObjectModel {
  public func genericCopy() -> NSManagedObjectModel {
    let model = self.copy() as! NSManagedObjectModel  // Apps cast like this, because `copy()` returns Any.
    for entity in model.entities {
      entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    }
    return model
  }
}
