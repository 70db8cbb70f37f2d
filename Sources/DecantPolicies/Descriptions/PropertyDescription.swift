public import DecantModel
public import Foundation

/// A property of an entity, for policies.
open class PropertyDescription: NSObject {
  public let name: String
  /// The entity that declares it.
  public var entity: EntityDescription? { home.entity(owner) }
  public let isOptional: Bool
  public let isTransient: Bool
  public let renamingIdentifier: String?
  public let userInfo: [AnyHashable: Any]?
  private let owner: String
  let home: ModelReference

  init(
    name: String, isOptional: Bool, isTransient: Bool, renamingIdentifier: String?, userInfo: [String: String],
    owner: String, home: ModelReference
  ) {
    self.owner = owner
    self.home = home
    self.name = name
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}

/// An attribute of an entity, for policies.
public final class AttributeDescription: PropertyDescription {
  public let attribute: Attribute
  public let attributeType: AttributeType
  /// The default value, in the form of `ManagedObject.value(forKey:)`.
  public let defaultValue: Any?

  init(_ attribute: Attribute, of owner: String, home: ModelReference) {
    self.attribute = attribute
    attributeType = attribute.type
    defaultValue = ValueBridge.any(of: attribute.defaultValue)
    super.init(
      name: attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      renamingIdentifier: attribute.renamingIdentifier, userInfo: attribute.userInfo, owner: owner,
      home: home)
  }
}

/// A relationship of an entity, for policies.
public final class RelationshipDescription: PropertyDescription {
  public let relationship: Relationship

  public var destinationEntity: EntityDescription? { home.entity(relationship.destinationEntityName) }

  public var inverseRelationship: RelationshipDescription? {
    guard let inverse = home.model?.model.inverse(of: relationship) else { return nil }
    return home.entity(inverse.entity.name)?.propertiesByName[inverse.relationship.name]
      as? RelationshipDescription
  }

  public var isToMany: Bool { relationship.isToMany }
  public var isOrdered: Bool { relationship.isOrdered }
  public var minCount: Int { relationship.minimumCount }
  public var maxCount: Int { relationship.maximumCount }

  init(_ relationship: Relationship, of owner: String, home: ModelReference) {
    self.relationship = relationship
    super.init(
      name: relationship.name, isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      renamingIdentifier: relationship.renamingIdentifier, userInfo: relationship.userInfo, owner: owner,
      home: home)
  }
}
