import CoreData

/// The seconds since 2001 of each event.
final class DoubleEventPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let event = NSEntityDescription.insertNewObject(
      forEntityName: "DoubleEvent", into: manager.destinationContext)
    if let timeStamp = sInstance.value(forKey: "timeStamp") as? Date {
      event.setValue(timeStamp.timeIntervalSinceReferenceDate, forKey: "seconds")
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
  }
}

/// The time of each event as a text, its fraction of a second cut off.
final class DateEventPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let event = NSEntityDescription.insertNewObject(
      forEntityName: "DateEvent", into: manager.destinationContext)
    if let timeStamp = sInstance.value(forKey: "timeStamp") as? Date {
      event.setValue(Self.text(timeStamp), forKey: "dateString")
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
  }

  /// The time in UTC, to the second.
  private static func text(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d-%02d-%02d %02d:%02d:%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
      parts.tm_hour, parts.tm_min, parts.tm_sec)
  }
}
