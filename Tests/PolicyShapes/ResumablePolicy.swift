import CoreData

/// Makes one category for each name, and gives its state, so that a killed run can continue after the last chunk.
///
/// It stands for: `ResumableMigrationPolicy`, which only Decant has.
class ResumablePolicy: NSEntityMigrationPolicy, ResumableMigrationPolicy {
  private var names: Set<String> = []

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let nota = NSEntityDescription.insertNewObject(forEntityName: "Nota", into: manager.destinationContext)
    nota.setValue(sInstance.value(forKey: "texto"), forKey: "texto")
    if let nombre = sInstance.value(forKey: "categoria") as? String, names.insert(nombre).inserted {
      let categoria = NSEntityDescription.insertNewObject(
        forEntityName: "Categoria", into: manager.destinationContext)
      categoria.setValue(nombre, forKey: "nombre")
      nota.mutableSetValue(forKey: "categorias").add(categoria)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: nota, for: mapping)
  }

  func resumptionState(manager: NSMigrationManager) throws -> Data { try JSONEncoder().encode(names) }

  func resume(from state: Data, manager: NSMigrationManager) throws {
    names = try JSONDecoder().decode(Set<String>.self, from: state)
  }
}
