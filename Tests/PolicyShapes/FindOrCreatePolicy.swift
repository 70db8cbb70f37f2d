import CoreData
import Foundation

/// Lets the base class make the note, and finds or makes its category.
///
/// It stands for: `destinationInstances(forEntityMappingName:sourceInstances:)`, extensions of `NSManagedObject` and
/// `NSManagedObjectContext`, `fetchLimit`, `returnsObjectsAsFaults`, and `setValue(_:forKeyPath:)`.
final class FindOrCreatePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let nombre = sInstance.nombreDeCategoria else { return }
    guard
      let nota = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { throw CocoaError(.coderValueNotFound) }
    guard let context = nota.managedObjectContext else { throw CocoaError(.coderValueNotFound) }
    let categoria = context.findOrCreateCategoria(named: nombre)
    nota.setValue(Set([categoria]), forKey: "categorias")
  }
}

extension NSManagedObject {
  fileprivate var nombreDeCategoria: String? { value(forKey: "categoria") as? String }

  fileprivate func isCategoria(named nombre: String) -> Bool {
    return entity.name == "Categoria" && (value(forKey: "nombre") as? String) == nombre
  }
}

extension NSManagedObjectContext {
  fileprivate func findOrCreateCategoria(named nombre: String) -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Categoria")
    request.predicate = NSPredicate(format: "%K == %@", "nombre", nombre)
    request.sortDescriptors = [NSSortDescriptor(key: "nombre", ascending: true)]
    request.fetchLimit = 1
    request.returnsObjectsAsFaults = false
    if let found = (try? fetch(request))?.first, found.isCategoria(named: nombre) { return found }
    let categoria = NSEntityDescription.insertNewObject(forEntityName: "Categoria", into: self)
    categoria.setValue(nombre, forKeyPath: "nombre")
    return categoria
  }
}
