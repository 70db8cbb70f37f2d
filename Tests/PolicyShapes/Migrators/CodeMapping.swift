import CoreData

/// Makes a mapping model without a file.
///
/// It stands for: `NSMappingModel()`, `NSEntityMapping()`, `NSPropertyMapping()`, `NSExpression(format:)` with
/// `$source`, the standard fetch as `sourceExpression`, and a relationship that asks the manager for destination
/// objects.
public enum CodeMapping {
  public static func make(from source: NSManagedObjectModel, to destination: NSManagedObjectModel)
    -> NSMappingModel
  {
    let contacto = NSEntityMapping()
    contacto.name = "ContactoToContacto"
    contacto.mappingType = .transformEntityMappingType
    contacto.sourceEntityName = "Contacto"
    contacto.destinationEntityName = "Contacto"
    contacto.sourceEntityVersionHash = source.entitiesByName["Contacto"]?.versionHash
    contacto.destinationEntityVersionHash = destination.entitiesByName["Contacto"]?.versionHash
    contacto.sourceExpression = fetch("nombre != nil")
    contacto.attributeMappings = [
      property("nombre", NSExpression(format: "$source.nombre")),
      property("edad", NSExpression(format: "CAST($source.edad, 'NSString')")),
    ]

    let telefono = NSEntityMapping()
    telefono.name = "ContactoToTelefono"
    telefono.mappingType = .transformEntityMappingType
    telefono.sourceEntityName = "Contacto"
    telefono.destinationEntityName = "Telefono"
    telefono.sourceExpression = fetch("nombre != nil AND telefono != nil")
    telefono.attributeMappings = [property("numero", NSExpression(format: "$source.telefono"))]
    telefono.relationshipMappings = [
      property(
        "contacto",
        NSExpression(
          format:
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'ContactoToContacto', $source)"
        ))
    ]

    let mapping = NSMappingModel()
    mapping.entityMappings = [contacto, telefono]
    return mapping
  }

  private static func fetch(_ predicate: String) -> NSExpression {
    NSExpression(
      format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', %@, %@), "
        + "$manager.sourceContext, NO)", "Contacto", predicate)
  }

  private static func property(_ name: String, _ expression: NSExpression) -> NSPropertyMapping {
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = expression
    return mapping
  }
}
