import CoreData

/// Turns hours into minutes, rounded as in the text mapping model.
final class TareaPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    // The base class makes the task with the values that are mapped by name, and associates it.
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let horas = sInstance.value(forKey: "horas") as? Double else { return }
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    for tarea in made {
      tarea.setValue(Int(floor(horas * 60 + 0.5)), forKey: "minutos")
    }
  }
}
