import CoreData

/// Gives one entity mapping of an inferred mapping model a policy and a value expression.
///
/// It stands for: `inferredMappingModel(forSourceModel:destinationModel:)` whose entity mappings are changed:
/// `entityMappingsByName`, `mappingType`, `userInfo`, and the value expression of one property.
public enum InferredWithPolicy {
  public static func mapping(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    if let contacto = mapping.entityMappingsByName["ContactoToContacto"] {
      contacto.mappingType = .customEntityMappingType
      contacto.entityMigrationPolicyClassName = "NoteTakingPolicy"
      contacto.userInfo = ["prefix": "de "]
      for property in contacto.attributeMappings ?? [] where property.name == "edad" {
        property.valueExpression = NSExpression(format: "$source.edad + %@", NSNumber(value: 100))
      }
    }
    return mapping
  }
}

/// Reads the user info of its entity mapping.
final class NoteTakingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let name = mapping.name,
      let made = manager.destinationInstances(forEntityMappingName: name, sourceInstances: [sInstance]).first
    else { return }
    let prefix = mapping.userInfo?["prefix"] as? String ?? ""
    made.setValue(prefix + (sInstance.value(forKey: "nombre") as? String ?? "nadie"), forKey: "nota")
  }
}
