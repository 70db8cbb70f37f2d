// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// Uses the app's managed object classes instead of keys.
///
/// It stands for: forced casts to a class of the app, `Nota(context:)`, `fetchRequest()` of a class, and generated
/// accessors such as `addToNotas(_:)`.
class TypedPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let vieja = sInstance as! Nota  // Apps cast like this: the object has to be of the registered class.
    let nueva = Nota(context: manager.destinationContext)
    nueva.texto = vieja.texto
    nueva.momento = vieja.fecha
    nueva.orden = vieja.orden + 1
    if let nombre = vieja.categoria {
      let request: NSFetchRequest<Categoria> = Categoria.fetchRequest()
      request.predicate = NSPredicate(format: "nombre = %@", nombre)
      let categoria =
        try manager.destinationContext.fetch(request).first ?? Categoria(context: manager.destinationContext)
      categoria.nombre = nombre
      categoria.addToNotas(nueva)
    }
    manager.associate(sourceInstance: vieja, withDestinationInstance: nueva, for: mapping)
  }
}
