// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// Makes a contact from a source object, and later its telephones with their relationship.
///
/// It stands for: `NSEntityDescription.insertNewObject(forEntityName:into:)` with the names of the mapping,
/// `createRelationships(forDestination:…)` with `sourceInstances(forEntityMappingName:…)`, and `mapping.name!`.
final class SplitTelephonesPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let contacto = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    contacto.setValue(sInstance.value(forKey: "nombre"), forKey: "nombre")
    if let edad = sInstance.value(forKey: "edad") as? NSNumber {
      contacto.setValue(edad.stringValue, forKey: "edad")
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: contacto, for: mapping)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name!, destinationInstances: [dInstance])
    for text in sources.compactMap({ $0.value(forKey: "telefono") as? String }) {
      for numero in text.components(separatedBy: ",") {
        let telefono = NSEntityDescription.insertNewObject(
          forEntityName: "Telefono", into: manager.destinationContext)
        telefono.setValue(numero.trimmingCharacters(in: .whitespaces), forKey: "numero")
        telefono.setValue(dInstance, forKey: "contacto")
      }
    }
  }
}
