package import DecantModel
internal import PredicateFormat

/// What the rules give for parts that a text leaves out; such parts needn't be written.
package struct WritingRules {
  private let drafts: [EntityMappingDraft]
  private let rule: PropertyRule
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let sourceHashes: EntityVersionHashes
  private let destinationHashes: EntityVersionHashes

  package init(_ mapping: MappingModel, source: ManagedObjectModel, destination: ManagedObjectModel) {
    drafts = mapping.entityMappings.map { entity in
      var draft = EntityMappingDraft()
      draft.name = entity.name
      draft.sourceEntityName = entity.sourceEntityName
      draft.destinationEntityName = entity.destinationEntityName
      draft.policy = entity.policy
      draft.mapsUnnamed = true
      return draft
    }
    rule = PropertyRule(
      source: source, destination: destination, names: mapping.entityMappings.map(\.name), mappings: drafts)
    self.source = source
    self.destination = destination
    sourceHashes = source.entityVersionHashes
    destinationHashes = destination.entityVersionHashes
  }

  func type(_ index: Int) -> EntityMappingType { drafts[index].compiledType(from: source, to: destination) }

  func sourceHash(_ index: Int) -> VersionHash? { drafts[index].sourceEntityName.flatMap { sourceHashes[$0] } }

  func destinationHash(_ index: Int) -> VersionHash? {
    drafts[index].destinationEntityName.flatMap { destinationHashes[$0] }
  }

  /// The attributes that rules map without a row.
  package func attributes(_ index: Int) -> [AttributeMapping] { rule.attributes(of: drafts[index]) }

  /// The relationships that rules map without a row.
  package func relationships(_ index: Int) -> [RelationshipMapping] { rule.relationships(of: drafts[index]) }

  /// The value that the rules make of a written relationship.
  func value(
    of written: EntityMappingDraft.RelationshipValue, _ name: String, _ index: Int
  ) -> RelationshipMapping.Value {
    var draft = drafts[index]
    draft.relationships = [name: written]
    return rule.relationship(named: name, of: draft)
  }
}
