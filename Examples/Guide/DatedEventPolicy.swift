import CoreData

/// Makes the objects of the first pass, with the date as a text.
final class DatedEventPolicy: NSEntityMigrationPolicy {
  private let formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    return formatter
  }()

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let event = NSEntityDescription.insertNewObject(
      forEntityName: "DatedEvent", into: manager.destinationContext)
    if let timeStamp = sInstance.value(forKey: "timeStamp") as? Date {
      event.setValue(formatter.string(from: timeStamp), forKey: "date")
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
  }
}
