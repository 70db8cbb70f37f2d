import CoreData

/// Changes objects of the app's own classes.
///
/// It stands for: values of custom transformers that a policy reads, changes and sets after `super` has copied them.
final class OpuestoPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let nuevo = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        .first
    else { return }
    if let tono = sInstance.value(forKey: "color") as? Tono {
      nuevo.setValue(tono.opuesto, forKey: "color")
    }
    if let portada = nuevo.value(forKey: "portada") as? Portada {
      nuevo.setValue(
        Portada(
          titulo: portada.titulo.uppercased(), paginas: portada.paginas + 1, escala: portada.escala / 2,
          esBorrador: true, palabras: portada.palabras + ["nueva"], contraportada: portada),
        forKey: "portada")
    }
  }
}
