import CoreData

/// Makes a model in code, as packages without resources do.
///
/// It stands for: `NSManagedObjectModel()`, `entities`, entities with `properties`, attributes with types and
/// defaults, two relationships that are each other's inverses, and `setEntities(_:forConfigurationName:)`.
public enum CodeModel {
  public static let model: NSManagedObjectModel = {
    let contacto = NSEntityDescription()
    contacto.name = "Contacto"
    contacto.managedObjectClassName = NSStringFromClass(NSManagedObject.self)

    let telefono = NSEntityDescription()
    telefono.name = "Telefono"
    telefono.managedObjectClassName = "NSManagedObject"

    let contactoToTelefonos = NSRelationshipDescription()
    contactoToTelefonos.name = "telefonos"
    contactoToTelefonos.destinationEntity = telefono
    contactoToTelefonos.minCount = 0
    contactoToTelefonos.maxCount = 0
    contactoToTelefonos.isOptional = true
    contactoToTelefonos.deleteRule = .cascadeDeleteRule

    let telefonoToContacto = NSRelationshipDescription()
    telefonoToContacto.name = "contacto"
    telefonoToContacto.destinationEntity = contacto
    telefonoToContacto.minCount = 0
    telefonoToContacto.maxCount = 1
    telefonoToContacto.deleteRule = NSDeleteRule.nullifyDeleteRule

    contactoToTelefonos.inverseRelationship = telefonoToContacto
    telefonoToContacto.inverseRelationship = contactoToTelefonos

    contacto.properties = [
      attribute("nombre", .stringAttributeType), attribute("edad", .stringAttributeType),
      attribute("favorito", .booleanAttributeType, isOptional: false, defaultValue: false), contactoToTelefonos,
    ]
    telefono.properties = [attribute("numero", .stringAttributeType), telefonoToContacto]

    let model = NSManagedObjectModel()
    model.entities = [contacto, telefono]
    model.setEntities([contacto, telefono], forConfigurationName: "Local")
    return model
  }()

  private static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = true, defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    if let defaultValue = defaultValue { attribute.defaultValue = defaultValue }
    return attribute
  }
}
