import CoreData

/// Looks up the object that an earlier entity mapping made from the same source object.
///
/// It stands for: `destinationInstances(forEntityMappingName:sourceInstances:)` of another entity mapping in
/// `createDestinationInstances`, and `manager.sourceContext` with a fetch of its own.
final class LookUpPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let numero = sInstance.value(forKey: "telefono") as? String else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Contacto")
    request.predicate = NSPredicate(format: "telefono == %@", numero)
    let sharing = try manager.sourceContext.count(for: request)
    let telefono = NSEntityDescription.insertNewObject(
      forEntityName: "Telefono", into: manager.destinationContext)
    telefono.setValue("\(numero) (\(sharing))", forKey: "numero")
    let owners = manager.destinationInstances(
      forEntityMappingName: "ContactoToContacto", sourceInstances: [sInstance])
    telefono.setValue(owners.first, forKey: "contacto")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: telefono, for: mapping)
  }
}
