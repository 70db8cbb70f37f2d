internal import DecantModel

/// A destination entity and the source entity that it continues, with the mapping and its losses.
struct EntityPair {
  let source: Entity
  let destination: Entity
  var mapping: EntityMapping
  var narrowings: [InferredMapping.Narrowing] = []
  var lostTargets: [InferredMapping.LostTargets] = []
  /// Stored source properties without a place, own and inherited, with the reason.
  var lostAttributes: [String: InferredMapping.Drop.Cause] = [:]
  var lostRelationships: [String: InferredMapping.Drop.Cause] = [:]
  /// Stored destination properties that continue no source property.
  ///
  /// The source entity has no property of the same name, and the model states no earlier name.
  var newAttributes: [Attribute] = []
  var newRelationships: [Relationship] = []
  /// For each lost property, its renaming identifiers in all versions of the family.
  private(set) var otherNames: [String: Set<String>] = [:]
  var refusals: [InferenceError] = []

  var holdsRows: Bool { !source.isAbstract && !destination.isAbstract }

  init(
    from source: Entity, to destination: Entity, among entities: EntityMatching, renames: Renames,
    history: RenameHistory
  ) {
    self.source = source
    self.destination = destination
    mapping = EntityMapping(
      name: "\(source.name)To\(destination.name)", type: .transform, sourceEntityName: source.name,
      destinationEntityName: destination.name)
    let aliases = (entities.source.chain(of: source.name) + entities.destination.chain(of: destination.name))
      .reduce(into: Set<String>()) { $0.formUnion(history.allNames(ofEntity: $1.name)) }
    let stated = renames.oldNames(of: aliases)
    let older = { (name: String) in history.olderNames(of: name, in: aliases) }
    mapAttributes(entities, stated, older)
    mapRelationships(entities, stated, older)
    settleDerived(entities)
    for name in [String](lostAttributes.keys) + lostRelationships.keys { otherNames[name] = older(name) }
    let rule = CopyRule(source: entities.source, destination: entities.destination)
    if rule.isCopy(source.name, destination.name) { mapping.type = .copy }
  }
}
