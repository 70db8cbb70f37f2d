import CoreData

/// Joins two attributes to “apellido1 apellido2, nombre”; an attribute that is nil is left out, with its comma.
final class MergeNamePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let parts = ["apellidos", "nombre"].compactMap { sInstance.value(forKey: $0) as? String }
    guard !parts.isEmpty else { return }
    for persona in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    {
      persona.setValue(parts.joined(separator: ", "), forKey: "nombreParaLista")
    }
  }
}
