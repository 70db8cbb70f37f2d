import CoreData

/// Evaluates the attribute mappings itself, and writes values of string attributes as text.
///
/// It stands for: a loop over `mapping.attributeMappings`, `valueExpression?.expressionValue(with:context:)` with
/// `NSMigrationSourceObjectKey` and `NSMigrationManagerKey` in an `NSMutableDictionary`, and descriptions of the
/// destination's attributes.
final class AttributeLoopPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let entity = manager.destinationEntity(for: mapping) else { throw CocoaError(.migration) }
    let made = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
    let context: NSMutableDictionary = [
      NSMigrationSourceObjectKey: sInstance, NSMigrationManagerKey: manager, NSMigrationEntityPolicyKey: self,
    ]
    for attributeMapping in mapping.attributeMappings ?? [] {
      guard let name = attributeMapping.name, let attribute = entity.attributesByName[name] else { continue }
      let value = attributeMapping.valueExpression?.expressionValue(with: sInstance, context: context)
      switch attribute.attributeType {
      case .stringAttributeType: made.setValue(value.map { "\($0)" }, forKey: name)
      default: made.setValue(value, forKey: name)
      }
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}
