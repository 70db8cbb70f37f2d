internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// Counts what a way loses, in the store as it is, and refuses what must not be lost.
struct LossCount {
  let steps: [PreparedJob.Step]
  let counts: StoreCounts
  let family: Family

  /// Everything that goes away on the way, also where the store has no value of it.
  ///
  /// - Throws: A refusal for values that don't fit into a smaller integer type, and for any loss of values where
  ///   `family.json5` says `dataLoss: "refuse"`.
  func losses() throws(MigrationFailure) -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    for (index, step) in steps.enumerated() {
      for drop in step.mapping.drops {
        if let loss = try loss(drop, step: index) { losses.append(loss) }
      }
      for lost in step.mapping.lostTargets {
        guard let entity = origin(of: lost.sourceEntity, step: index),
          let name = origin(ofRelationship: lost.sourceRelationship, of: lost.sourceEntity, step: index)
        else { continue }
        let targets = lost.targets.compactMap { origin(of: $0, step: index) }
        let count = try counts.pairs(of: name, entities: [entity], targets: targets)
        if count > 0 {
          losses.append(.init(kind: .relationship, entity: entity, property: name, values: count))
        }
      }
      try checkNarrowings(step, index: index)
    }
    losses += try displaced()
    if family.configuration.dataLoss == .refuse, let first = losses.first(where: { $0.values > 0 }) {
      let all = losses.filter { $0.values > 0 }.map(Self.words).joined(separator: "; ")
      throw MigrationFailure(
        disposition: .refuse, reason: "data-loss", coreDataCode: 134_110,
        message: "Values would be lost, which family.json5 forbids (dataLoss: \"refuse\"): \(all).",
        advice: first.probableRename.map {
          "If “\(first.property ?? first.entity)” is called “\($0)” now, say so under “renames” in family.json5."
        } ?? "Write a mapping model, or set dataLoss: \"report\".", family: family.name)
    }
    return losses
  }

  /// What the first step can't keep because a relationship holds less.
  private func displaced() throws(MigrationFailure) -> [MigrationReport.Loss] {
    guard let step = steps.first else { return [] }
    do {
      return try DisplacedPairs(
        EntityPairing(
          source: counts.layout, destination: step.destinationLayout, mappingModel: step.mapping.mappingModel)
      ).losses(in: counts.store)
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  static func words(_ loss: MigrationReport.Loss) -> String {
    switch loss.kind {
    case .entity: "entity “\(loss.entity)” with \(loss.values) objects"
    case .attribute: "attribute “\(loss.entity).\(loss.property ?? "")” with \(loss.values) values"
    case .relationship: "relationship “\(loss.entity).\(loss.property ?? "")” with \(loss.values) targets"
    }
  }

  private func loss(_ drop: InferredMapping.Drop, step: Int) throws(MigrationFailure) -> MigrationReport.Loss? {
    guard let (entity, property) = names(of: drop, step: step) else { return nil }
    let entities = drop.entities.compactMap { origin(of: $0, step: step) }
    var values = 0
    switch drop.kind {
    case .entity:
      for entity in entities { values += try counts.rows(of: entity) }
    case .attribute:
      for entity in drop.entities {
        if let first = origin(of: entity, step: step),
          let name = origin(ofAttribute: drop.property ?? "", of: entity, step: step)
        {
          values += try counts.values(of: name, entities: [first])
        }
      }
    case .relationship:
      for entity in drop.entities {
        if let first = origin(of: entity, step: step),
          let name = origin(ofRelationship: drop.property ?? "", of: entity, step: step)
        {
          values += try counts.pairs(of: name, entities: [first])
        }
      }
    }
    return MigrationReport.Loss(
      kind: MigrationReport.Loss.Kind(rawValue: drop.kind.rawValue) ?? .attribute, entity: entity,
      property: property, values: values, probableRename: drop.probableRename)
  }

  /// The names under which the store has what a step drops; `nil` for what an earlier step has added.
  private func names(
    of drop: InferredMapping.Drop, step: Int
  ) -> (entity: String, property: String?)? {
    guard step > 0 else { return (drop.entity, drop.property) }
    guard let name = drop.property else { return origin(of: drop.entity, step: step).map { ($0, nil) } }
    for entity in [drop.entity] + drop.entities {
      let former =
        drop.kind == .attribute
        ? origin(ofAttribute: name, of: entity, step: step)
        : origin(ofRelationship: name, of: entity, step: step)
      if let former, let first = origin(of: entity, step: step) { return (first, former) }
    }
    return nil
  }

  private func checkNarrowings(_ step: PreparedJob.Step, index: Int) throws(MigrationFailure) {
    for narrowing in step.mapping.narrowings {
      guard let entity = origin(of: narrowing.sourceEntity, step: index),
        let name = origin(ofAttribute: narrowing.sourceAttribute, of: narrowing.sourceEntity, step: index)
      else { continue }
      let count = try counts.values(of: name, entity: entity, outside: narrowing.range)
      guard count > 0 else { continue }
      throw MigrationFailure(
        disposition: .refuse, reason: "values-do-not-fit", coreDataCode: 134_110,
        message: "Entity “\(entity)”: \(count) values of attribute “\(name)” don't fit into "
          + "\(narrowing.range.lowerBound) to \(narrowing.range.upperBound), the range of “\(narrowing.destinationAttribute)” in "
          + "version “\(step.destination.name)”.",
        advice:
          "Keep the larger integer type in the model, or write a mapping model that says what becomes of them.",
        family: family.name)
    }
  }

  /// The entity of the store from which an entity of a later step's source comes.
  private func origin(of entity: String, step: Int) -> String? {
    guard step > 0 else { return entity }
    return mapping(into: entity, step: step)?.sourceEntityName.flatMap { origin(of: $0, step: step - 1) }
  }

  private func origin(ofAttribute name: String, of entity: String, step: Int) -> String? {
    guard step > 0 else { return name }
    guard let mapping = mapping(into: entity, step: step), let source = mapping.sourceEntityName else {
      return nil
    }
    switch mapping.attributeMappings.first(where: { $0.destinationName == name })?.value {
    case .source(let former), .sourceOrDefault(let former):
      return origin(ofAttribute: former, of: source, step: step - 1)
    case .defaultValue, .derived, nil: return nil
    }
  }

  private func origin(ofRelationship name: String, of entity: String, step: Int) -> String? {
    guard step > 0 else { return name }
    guard let mapping = mapping(into: entity, step: step), let source = mapping.sourceEntityName,
      let former = mapping.relationshipMappings.first(where: { $0.destinationName == name })?.sourceName
    else { return nil }
    return origin(ofRelationship: former, of: source, step: step - 1)
  }

  /// The entity mapping of the step before that makes objects of an entity.
  private func mapping(into entity: String, step: Int) -> EntityMapping? {
    steps[step - 1].mapping.mappingModel.entityMappings.first { $0.destinationEntityName == entity }
  }
}
