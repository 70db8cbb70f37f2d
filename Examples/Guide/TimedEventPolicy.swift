import CoreData

/// Makes the objects of the second pass, with the time as seconds since 1970.
///
/// The mapping model sets the relationship to the object that the first pass made from the same event.
final class TimedEventPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let event = NSEntityDescription.insertNewObject(
      forEntityName: "TimedEvent", into: manager.destinationContext)
    let timeStamp = sInstance.value(forKey: "timeStamp") as? Date
    event.setValue(timeStamp?.timeIntervalSince1970, forKey: "seconds")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
  }
}
