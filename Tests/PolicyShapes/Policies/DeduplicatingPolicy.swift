import CoreData

/// Makes one contact for each name, and keeps the contacts in the manager's user info.
///
/// It stands for: `manager.userInfo` as a dictionary of dictionaries of objects, and one destination object
/// associated with several source objects.
final class DeduplicatingPolicy: NSEntityMigrationPolicy {
  private let key = "contactosPorNombre"

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    manager.userInfo = [key: [String: NSManagedObject]()]
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    var known = manager.userInfo?[key] as? [String: NSManagedObject] ?? [:]
    let nombre = (sInstance.value(forKey: "nombre") as? String)?.lowercased() ?? ""
    if let contacto = known[nombre] {
      manager.associate(sourceInstance: sInstance, withDestinationInstance: contacto, for: mapping)
      return
    }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    known[nombre] = made.first
    manager.userInfo?[key] = known
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    manager.userInfo = nil
  }
}
