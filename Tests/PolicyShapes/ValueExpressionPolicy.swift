// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

enum PolicyError: Error {
  case noSource
  case noMappings
}

/// Evaluates the property mappings itself, as policies without a call of `super` do.
///
/// It stands for: `attributeMappings`, `valueExpression`, `expressionValue(with:context:)`, and the keys
/// `NSMigrationManagerKey`, `NSMigrationSourceObjectKey`, `NSMigrationDestinationObjectKey` and
/// `NSMigrationEntityMappingKey`.
class ValueExpressionPolicy: NSEntityMigrationPolicy {
  static func copyAttributes(
    from sInstance: NSManagedObject, to dInstance: NSManagedObject, _ mapping: NSEntityMapping,
    _ manager: NSMigrationManager
  ) {
    let context: NSMutableDictionary = [
      NSMigrationManagerKey: manager, NSMigrationSourceObjectKey: sInstance,
      NSMigrationDestinationObjectKey: dInstance, NSMigrationEntityMappingKey: mapping,
    ]
    mapping.attributeMappings?.forEach { propertyMapping in
      guard let name = propertyMapping.name else { return }
      let value = propertyMapping.valueExpression?.expressionValue(with: sInstance, context: context)
      dInstance.setValue(value, forKey: name)
    }
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let dInstance = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName ?? "", into: manager.destinationContext)
    if let mappings = mapping.attributeMappings {
      for propertyMapping in mappings {
        if let name = propertyMapping.name {
          if let value = propertyMapping.valueExpression?.expressionValue(
            with: nil, context: ["source": sInstance])
          {
            dInstance.setValue(value, forKey: name)
          }
        }
      }
    }
    Self.copyAttributes(from: sInstance, to: dInstance, mapping, manager)
    manager.associate(sourceInstance: sInstance, withDestinationInstance: dInstance, for: mapping)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard
      let sInstance = manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [dInstance]
      ).first
    else { throw PolicyError.noSource }
    guard mapping.relationshipMappings != nil else { throw PolicyError.noMappings }
    guard let nombre = sInstance.value(forKey: "categoria") as? String else { return }
    let request: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest(entityName: "Categoria")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "nombre == %@", argumentArray: [nombre]), NSPredicate(value: true),
    ])
    var categoria = try manager.destinationContext.fetch(request).first as? NSManagedObject
    if categoria == nil {
      categoria = NSEntityDescription.insertNewObject(
        forEntityName: "Categoria", into: manager.destinationContext)
      categoria?.setValue(nombre, forKey: "nombre")
    }
    dInstance.setValue(NSSet(object: categoria!), forKey: "categorias")
  }
}
