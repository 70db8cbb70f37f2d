import CoreData

/// Splits a full name at its first space into two parts, and writes the number as a text.
final class ContactPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let contact = NSEntityDescription.insertNewObject(
      forEntityName: "Contact", into: manager.destinationContext)
    if let fullName = sInstance.value(forKey: "fullName") as? String {
      let parts = fullName.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      contact.setValue(String(parts[0]), forKey: "firstName")
      contact.setValue(parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil, forKey: "lastName")
    }
    contact.setValue((sInstance.value(forKey: "identifier") as? NSNumber)?.stringValue, forKey: "identifier")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: contact, for: mapping)
  }
}
