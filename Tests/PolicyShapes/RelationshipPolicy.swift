// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// Makes a category for each note, and finds the category again by a predicate over its relationship.
///
/// It stands for: `createRelationships(forDestination:in:manager:)`, `endRelationshipCreation(forMapping:manager:)`,
/// a predicate with `ANY` and an object, and `destinationInstances(forEntityMappingName:sourceInstances:)` for all
/// objects.
class RelationshipPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    for nota in made {
      let categoria = NSEntityDescription.insertNewObject(
        forEntityName: "Categoria", into: nota.managedObjectContext!)
      categoria.setValue("de " + (sInstance.value(forKey: "texto") as? String ?? ""), forKey: "nombre")
      categoria.setValue(NSSet(array: [nota]), forKey: "notas")
    }
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Categoria")
    request.predicate = NSPredicate(format: "ANY notas == %@", dInstance)
    guard let context = dInstance.managedObjectContext else { throw CocoaError(.coderValueNotFound) }
    let found = try context.fetch(request)
    dInstance.setValue("\(found.count)", forKey: "titulo")
  }

  override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
  {
    let all = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
    let sorted = (all as NSArray).filtered(using: NSPredicate(format: "titulo == '1'"))
    if sorted.count != all.count { throw CocoaError(.validationMultipleErrors) }
  }
}
