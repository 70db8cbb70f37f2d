import CoreData

/// Splits “apellido1 apellido2, nombre” into two attributes.
final class SplitNamePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let nombreCompleto = sInstance.value(forKey: "nombreCompleto") as? String else { return }
    let parts = nombreCompleto.components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    for persona in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    {
      persona.setValue(parts.first, forKey: "apellidos")
      persona.setValue(parts.dropFirst().first, forKey: "nombre")
    }
  }
}
