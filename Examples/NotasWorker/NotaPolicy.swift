import CoreData

/// Makes one note from each note, and one category from each distinct name, as the app's own policy does.
class NotaPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let vieja = sInstance as? Nota else { throw CocoaError(.entityMigrationPolicy) }
    let nueva = Nota(context: manager.destinationContext)
    nueva.texto = vieja.texto
    nueva.momento = vieja.fecha
    nueva.orden = vieja.orden
    nueva.titulo = vieja.texto.map { String($0.prefix(20)) }
    if let nombre = vieja.categoria {
      try categoria(nombre, in: manager.destinationContext).addToNotas(nueva)
    }
    manager.associate(sourceInstance: vieja, withDestinationInstance: nueva, for: mapping)
  }

  private func categoria(_ nombre: String, in context: NSManagedObjectContext) throws -> Categoria {
    let request: NSFetchRequest<Categoria> = Categoria.fetchRequest()
    request.predicate = NSPredicate(format: "nombre == %@", nombre)
    if let known = try context.fetch(request).first { return known }
    let categoria = Categoria(context: context)
    categoria.nombre = nombre
    return categoria
  }
}
