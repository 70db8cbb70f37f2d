// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// Makes one category for each name and keeps them in a dictionary, as policies in apps do.
///
/// It stands for: `begin(_:with:)`, `mutableSetValue(forKey:)`, `NSManagedObject(entity:insertInto:)`, and state in a
/// property.
class DictionaryPolicy: NSEntityMigrationPolicy {
  private var categorias: [String: NSManagedObject] = [:]

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try super.begin(mapping, with: manager)
    categorias.removeAll()
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let nota = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    nota.setValue(sInstance.value(forKey: "texto"), forKey: "texto")
    nota.setValue(sInstance.value(forKey: "fecha") as? Date, forKey: "momento")
    if let nombre = sInstance.value(forKey: "categoria") as? String {
      let categoria = categorias[nombre] ?? make(nombre, in: manager.destinationContext)
      nota.mutableSetValue(forKey: "categorias").add(categoria)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: nota, for: mapping)
  }

  private func make(_ nombre: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let entity = NSEntityDescription.entity(forEntityName: "Categoria", in: context)!
    let categoria = NSManagedObject(entity: entity, insertInto: context)
    categoria.setValue(nombre, forKey: "nombre")
    categorias[nombre] = categoria
    return categoria
  }
}
