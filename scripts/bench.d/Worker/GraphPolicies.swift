import CoreData

/// Makes an object with one text; the mapping model sets the relationships.
class NamePolicy: NSEntityMigrationPolicy {
  /// The attribute that holds the text.
  class var key: String { "name" }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let object = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName ?? "", into: manager.destinationContext)
    object.setValue(sInstance.value(forKey: Self.key), forKey: Self.key)
    manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
  }
}

final class WriterPolicy: NamePolicy {}

final class LabelPolicy: NamePolicy {}

final class VolumePolicy: NamePolicy {
  override class var key: String { "title" }
}
