internal import DecantMapping
internal import DecantModel

/// Decides for each change whether it is inferred, needs a mapping model, or leaves stores unchanged.
struct ChangeJudgement {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let drops: [InferredMapping.Drop]
  /// Attributes of the destination whose type holds fewer values than before, as `Entity.attribute` with the declaring
  /// entity.
  private let narrowed: Set<String>
  private let ofEntities: [String: [InferenceError]]
  private let ofProperties: [String: [InferenceError]]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    survey: (mapping: InferredMapping, refusals: [InferenceError])
  ) {
    self.source = source
    self.destination = destination
    drops = survey.mapping.drops
    let destinations = Dictionary(
      survey.mapping.mappingModel.entityMappings.map { ($0.name, $0.destinationEntityName) }
    ) { first, _ in first }
    narrowed = Set(
      survey.mapping.narrowings.map { narrowing in
        let entity = (destinations[narrowing.entityMapping] ?? nil) ?? narrowing.sourceEntity
        let owner = destination.declaringEntity(of: narrowing.destinationAttribute, in: entity)?.name ?? entity
        return "\(owner).\(narrowing.destinationAttribute)"
      })
    var ofEntities: [String: [InferenceError]] = [:]
    var ofProperties: [String: [InferenceError]] = [:]
    for refusal in survey.refusals {
      for entity in refusal.entities { ofEntities[entity, default: []].append(refusal) }
      for property in refusal.properties {
        // An error in a subentity may concern an ancestor's property. The difference shows such an error at the
        // ancestor.
        let owner = destination.declaringEntity(of: property.name, in: property.entity)?.name ?? property.entity
        ofProperties["\(owner).\(property.name)", default: []].append(refusal)
      }
    }
    self.ofEntities = ofEntities
    self.ofProperties = ofProperties
  }

  func judged(
    _ property: ModelDifference.Property, former: Entity, entity: Entity
  ) -> ModelDifference.Property {
    var property = property
    let old = property.formerName ?? property.name
    let refusals = property.kind == .removed ? [] : ofProperties["\(entity.name).\(property.name)"] ?? []
    let isStored =
      property.sort != "fetched property"
      && (property.kind != .added && isStored(old, of: former.name, in: source)
        || property.kind != .removed && isStored(property.name, of: entity.name, in: destination))
    let traits = Set(refusals.compactMap(Self.trait))
    property.details = property.details.map { detail in
      var detail = detail
      detail.effect =
        traits.contains(detail.what)
        ? .heavy : isStored && !ModelTraits.unstored.contains(detail.what) ? .light : .none
      return detail
    }
    property.effect =
      property.kind == .changed
      ? property.details.map(\.effect).max() ?? .none : isStored ? .light : .none
    if !refusals.isEmpty { property.effect = .heavy }
    property.reasons = reasons(refusals)
    if property.effect == .light, property.kind != .removed,
      narrowed.contains("\(entity.name).\(property.name)")
    {
      property.condition = .valuesFit
    }
    let chain = Set(source.chain(of: former.name).map(\.name))
    property.losesValues =
      property.kind != .added && drops.contains { $0.property == old && chain.contains($0.entity) }
    return property
  }

  func judged(_ change: ModelDifference.EntityChange, former: Entity?) -> ModelDifference.EntityChange {
    let details = change.details.map { detail in
      var detail = detail
      detail.effect = ModelTraits.unstored.contains(detail.what) ? .none : .light
      return detail
    }
    let refusals = change.kind == .removed ? [] : ofEntities[change.name] ?? []
    var judged = ModelDifference.EntityChange(
      kind: change.kind, name: change.name, formerName: change.formerName, details: details,
      properties: change.properties, changesHash: change.changesHash)
    judged.effect =
      refusals.isEmpty
      ? (details.map(\.effect) + change.properties.map(\.effect)
        + [change.kind == .changed ? .none : .light]).max() ?? .none : .heavy
    judged.reasons = reasons(refusals)
    if judged.effect == .light, details.contains(where: Self.makesUnique) { judged.condition = .noneEqual }
    judged.losesObjects = drops.contains {
      $0.kind == .entity && $0.entity == former?.name && !$0.entities.isEmpty
    }
    return judged
  }

  private static func makesUnique(_ detail: ModelDifference.Detail) -> Bool {
    detail.what == "unique" && !ModelTraits.additions(detail).isEmpty
  }

  private func isStored(_ property: String, of entity: String, in model: ManagedObjectModel) -> Bool {
    if let attribute = model.attribute(property, of: entity) { return !attribute.isTransient }
    return model.relationship(property, of: entity).map { !$0.isTransient } ?? false
  }

  private func reasons(_ refusals: [InferenceError]) -> [String] {
    var seen: Set<String> = []
    return refusals.map { refusal in
      let entity = refusal.properties.first?.entity ?? ""
      let prefix = "entity “\(entity)”: "
      return refusal.change.hasPrefix(prefix) ? String(refusal.change.dropFirst(prefix.count)) : refusal.change
    }.filter { seen.insert($0).inserted }
  }

  private static func trait(_ error: InferenceError) -> String? {
    switch error {
    case .typeChanged: "type"
    case .compositeChanged: "elements"
    case .requiredWithoutDefault: "optional"
    case .defaultOutOfRange: "default"
    case .transientBecameRequired: "transient"
    case .toManyBecameToOne: "cardinality"
    case .sharedEntity, .severalSources, .mergedHierarchies, .sharedRelationship, .mergedRelationships: nil
    }
  }
}
