// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// Copies the attributes that both entities have, and reads the user info of the entity mapping.
///
/// It stands for: `attributesByName`, `dictionaryWithValues(forKeys:)`, `setValuesForKeys(_:)`,
/// `primitiveValue(forKey:)`, `attributeType`, `userInfo` of mapping and manager, and `count(for:)`.
open class EntityLoopPolicy: NSEntityMigrationPolicy {
  open override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    print("=== createDestinationInstances: \(source.entity.name ?? "nil") \(source.objectID)")
    let version = mapping.userInfo?["modelVersion"] as? String
    let sourceKeys = Array(source.entity.attributesByName.keys)
    let sourceValues = source.dictionaryWithValues(forKeys: sourceKeys)
    let destination = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    let destinationKeys = destination.entity.attributesByName.keys
    for key in destinationKeys where sourceKeys.contains(key) {
      if let value = sourceValues[key], !(value is NSNull) {
        destination.setValue(value, forKey: key)
      }
    }
    for (name, attribute) in source.entity.attributesByName {
      switch attribute.attributeType {
      case .dateAttributeType where version == "2":
        destination.setValue(source.primitiveValue(forKey: name), forKey: "momento")
      case .stringAttributeType, .integer16AttributeType: continue
      default: break
      }
    }
    guard let orden = source.value(forKey: "orden") as? Int16 else { throw CocoaError(.coderInvalidValue) }
    destination.setValuesForKeys(["titulo": "\(orden)"])
    manager.associate(sourceInstance: source, withDestinationInstance: destination, for: mapping)
    if manager.userInfo == nil { manager.userInfo = [:] }
    manager.userInfo?["count"] = (manager.userInfo?["count"] as? Int ?? 0) + 1
  }

  open override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Nota")
    request.resultType = .countResultType
    let made = try manager.destinationContext.count(for: request)
    guard made == manager.userInfo?["count"] as? Int else {
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSMigrationError,
        userInfo: [NSLocalizedDescriptionKey: "\(made) objects were made"])
    }
    try super.end(mapping, manager: manager)
  }
}
