internal import DecantModel
internal import Foundation

extension EntityDescription {
  public var superentity: EntityDescription? { parent?.entity }

  /// The direct subentities.
  ///
  /// An entity that becomes a subentity here leaves its former parent.
  public var subentities: [EntityDescription] {
    get { children }
    set {
      for child in children where !newValue.contains(where: { $0 === child }) { child.leaveParent() }
      children = []
      problems["subentities"] = nil
      for child in newValue { take(child) }
      refreshProperties()
      home.model?.takeRelatives()
      changed()
    }
  }

  /// Makes an entity a subentity; if inheritance would be a cycle, notes this problem instead.
  ///
  /// The caller must refresh the properties afterwards.
  func take(_ child: EntityDescription) {
    guard !isKindOf(identical: child) else {
      problems["subentities"] = .inheritanceCycle(entity: entity.name)
      return
    }
    guard !children.contains(where: { $0 === child }) else { return }
    if let former = child.superentity, former !== self { former.children.removeAll { $0 === child } }
    adopt(child)
    child.changed()
  }

  var family: [EntityDescription] { [self] + children.flatMap(\.family) }

  /// Replaces a subentity that belongs to another model, and all entities below the subentity, by copies.
  func replace(_ child: EntityDescription) -> EntityDescription {
    let copy = child.copiedFamily()
    children = children.map { $0 === child ? copy : $0 }
    copy.parent = place
    child.leaveParent()
    return copy
  }

  private func copiedFamily() -> EntityDescription {
    let copy = duplicate()
    for child in children { copy.adopt(child.copiedFamily()) }
    return copy
  }

  /// Makes an entity without parent a subentity.
  func adopt(_ child: EntityDescription) {
    children.append(child)
    child.parent = place
    child.entity.superentityName = entity.name
  }

  private func leaveParent() {
    parent = nil
    entity.superentityName = nil
    refreshProperties()
    changed()
  }

  var superentityName: String? { superentity?.entity.name ?? entity.superentityName }

  private func isKindOf(identical other: EntityDescription) -> Bool {
    var current: EntityDescription? = self
    while let one = current {
      if one === other { return true }
      current = one.superentity
    }
    return false
  }

  /// Own and inherited properties in name order; the setter sets the entity's own properties.
  public var properties: [PropertyDescription] {
    get { propertiesByName.sorted { $0.key < $1.key }.map(\.value) }
    set {
      for property in declared where !newValue.contains(where: { $0 === property }) { property.owner = nil }
      declared = []
      for property in newValue {
        let owner = property.entity
        // The list may come from the getter and have inherited properties.
        if let owner, owner !== self, isKindOf(identical: owner) { continue }
        if let owner, owner !== self { owner.properties = owner.declared.filter { $0 !== property } }
        guard !declared.contains(where: { $0 === property }) else { continue }
        property.owner = place
        declared.append(property)
      }
      refreshProperties()
      home.model?.takeRelatives()
      changed()
    }
  }

  /// Collects own and inherited properties, also for the subentities.
  func refreshProperties() {
    var all = superentity?.propertiesByName ?? [:]
    for property in declared { all[property.name] = property }
    propertiesByName = all
    root = superentity?.root ?? entity.name
    for child in children { child.refreshProperties() }
  }

  public var attributesByName: [String: AttributeDescription] {
    propertiesByName.compactMapValues { $0 as? AttributeDescription }
  }

  public var relationshipsByName: [String: RelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? RelationshipDescription }
  }

  public var subentitiesByName: [String: EntityDescription] {
    Dictionary(children.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// This entity's own and inherited relationships whose destination is the given entity, in name order.
  public func relationships(forDestination entity: EntityDescription) -> [RelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity === entity }.sorted { $0.name < $1.name }
  }

  /// Whether this entity is the given entity or is below it in the inheritance tree.
  ///
  /// Entities with the same name count as one entity.
  public func isKindOf(entity: EntityDescription) -> Bool {
    var current: EntityDescription? = self
    while let one = current {
      if one === entity || one.entity.name == entity.entity.name { return true }
      current = one.superentity
    }
    return false
  }
}
