import CoreData
import DecantMigration
import DecantPolicies

/// Makes a note from each note, and a category from each distinct text; a dictionary keeps the categories.
final class NotaPolicy: NSEntityMigrationPolicy {
  private var categorias: [Nombre: NSManagedObject] = [:]

  /// A text that is compared by its bytes, as in stores: for Swift, the two normal forms of “é” are equal.
  private struct Nombre: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try super.begin(mapping, with: manager)
    categorias = [:]
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let nota = NSEntityDescription.insertNewObject(forEntityName: "Nota", into: manager.destinationContext)
    nota.setValue(sInstance.value(forKey: "contenido"), forKey: "contenido")
    nota.setValue(sInstance.value(forKey: "etiquetas"), forKey: "etiquetas")
    nota.setValue(sInstance.value(forKey: "fecha"), forKey: "fecha")
    if let nombre = sInstance.value(forKey: "categoria") as? String {
      nota.setValue(categoria(named: nombre, in: manager.destinationContext), forKey: "categoria")
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: nota, for: mapping)
  }

  private func categoria(named nombre: String, in context: NSManagedObjectContext) -> NSManagedObject {
    if let known = categorias[Nombre(text: nombre)] { return known }
    let categoria = NSEntityDescription.insertNewObject(forEntityName: "Categoria", into: context)
    categoria.setValue(nombre, forKey: "nombre")
    categorias[Nombre(text: nombre)] = categoria
    return categoria
  }
}

extension NotaPolicy: ResumableMigrationPolicy {
  /// The state is empty: all categories of the dictionary are in the new store.
  func resumptionState(manager: NSMigrationManager) throws -> Data { Data() }

  func resume(from state: Data, manager: NSMigrationManager) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Categoria")
    for categoria in try manager.destinationContext.fetch(request) {
      if let nombre = categoria.value(forKey: "nombre") as? String {
        categorias[Nombre(text: nombre)] = categoria
      }
    }
  }
}
