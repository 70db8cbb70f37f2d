import CoreData

/// Makes an object with the seconds since 2001 from each event.
final class DoubleEventPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let event = NSEntityDescription.insertNewObject(
      forEntityName: "DoubleEvent", into: manager.destinationContext)
    // Without a time the seconds are nil; otherwise they would have their default, 0.
    let timeStamp = sInstance.value(forKey: "timeStamp") as? Date
    event.setValue(timeStamp?.timeIntervalSinceReferenceDate, forKey: "seconds")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
  }
}

/// Makes an object with the time as a text from each event; the fraction of a second is cut off.
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
    // The fraction is cut off before the addition, because the sum could be rounded up to the next second.
    var seconds = time_t(date.timeIntervalSinceReferenceDate.rounded(.down)) + 978_307_200
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let day = "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
    return "\(day) \(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
  }

  private static func digits(_ number: Int32, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
