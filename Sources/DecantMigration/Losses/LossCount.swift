internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore

/// Counts the losses of a path in the store, and refuses losses that aren't allowed.
struct LossCount {
  let path: PlannedPath
  let counts: StoreCounts
  let family: Family
  let external: ExternalData
  /// The store's file name, for sentences.
  let name: String
  /// The version whose names the losses use; `nil` for the store's own names.
  var version: String?
  /// The value of `now()`, in seconds since 2001.
  let now: Double
  /// Whether the job refuses losses that the family doesn't accept, independent of `dataLoss`.
  var isStrict = false
  /// Asked now and then during long scans of the store.
  var observer: (@Sendable () -> Bool)?
  var steps: [PlannedStep] { path.steps }
  var origins: StoreOrigins { path.origins }

  /// The losses of the path's steps, up to and including the first step with mapping models.
  ///
  /// Entities and properties of the store that a step drops are listed even without values.
  ///
  /// - Throws: A refusal if values can't be migrated or the losses are forbidden. A failure if the store can't be read.
  func losses() throws(MigrationFailure) -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    for (index, step) in steps.enumerated() {
      guard let mapping = step.inferred else {
        losses += try untaken(step, index: index) + removed(step, index: index)
        losses += try self.losses(alwaysLost(step), step: index)
        for inferred in step.mappingModels.map(\.inferredLosses) {
          for drop in inferred.drops { losses += try loss(drop, step: index).map { [$0] } ?? [] }
          for lost in inferred.lostTargets { losses += try loss(lost, step: index).map { [$0] } ?? [] }
        }
        // A later step's source doesn't exist yet, so what depends on its rows can't be counted.
        if index == 0 { losses += try filteredOut(step) + rowLosses(step) }
        break
      }
      for drop in mapping.drops {
        guard let loss = try loss(drop, step: index) else { continue }
        // If the store has only one end of the relationship, the pairs of both ends are the same. They are listed once.
        let isKnown =
          index > 0 && loss.kind == .relationship
          && losses.contains {
            $0.kind == .relationship && $0.entity == loss.entity && $0.property == loss.property
              && $0.values == loss.values
          }
        if !isKnown { losses.append(loss) }
      }
      for lost in mapping.lostTargets {
        if let loss = try loss(lost, step: index) { losses.append(loss) }
      }
      losses += try orderLosses(mapping, step, index: index)
      try checkNarrowings(mapping, to: step.destination.name, index: index)
    }
    losses += try displaced()
    losses += try fileless()
    losses = named(losses)
    try refuse(losses)
    return losses
  }

  private func named(_ losses: [MigrationReport.Loss]) -> [MigrationReport.Loss] {
    losses.named(version: version, in: counts.layout.model, accepted: family.configuration.acceptedLosses)
  }

  /// The losses of a step that depend on the rows of its source.
  func losses(whenBegun step: PlannedStep) throws(MigrationFailure) -> [MigrationReport.Loss] {
    let losses = named(try filteredOut(step) + rowLosses(step))
    try refuse(losses)
    return losses
  }

  /// Sentences about losses of a step that can't be counted, for example because a filter or `uniqueBy` isn't SQL.
  ///
  /// - Throws: A refusal if the family or the job forbids losses, and the family doesn't accept all of these losses.
  func uncounted(_ step: PlannedStep) throws(MigrationFailure) -> [String] {
    guard let plan = step.passPlan else { return [] }
    let gaps = FilterGaps(plan, step.mappingModels).uncounted
    let mapped = step.mappedLosses?.uncounted ?? []
    let version = version.map { " of version “\($0)”" } ?? ""
    var sentences: [String] = gaps.map { entity, reason, isRemoved in
      "Objects of “\(entity)”\(version) that "
        + "\(isRemoved ? "the mapping models remove" : "no entity mapping takes") can't be counted beforehand: \(reason)."
    }
    for loss in mapped {
      let name = "“\(loss.item.entity).\(loss.item.property)”\(version)"
      let units = loss.item.kind.unit + "s"
      sentences.append(
        loss.item.cause == .order
          ? "The targets of \(name) whose order the mapping models lose can't be counted beforehand: \(loss.reason)."
          : "The \(units) of \(name) that the mapping models lose can't be counted beforehand: \(loss.reason).")
    }
    let accepted = family.configuration.acceptedLosses
    func isForbidden(_ name: AcceptedLosses.Name) -> Bool {
      !accepted.cover(entity: name.entity, property: name.property, in: step.sourceLayout.model)
    }
    func names(_ losses: [UncountedLoss]) -> [AcceptedLosses.Name] {
      losses.map { .init(entity: $0.item.entity, property: $0.item.property) }.filter(isForbidden)
    }
    let objects = gaps.filter { !$0.isRemoved }.map { .init(entity: $0.entity) }.filter(isForbidden)
    let unparsed = names(mapped.filter { $0.item.cause == .unparsed })
    let others = objects + names(mapped.filter { $0.item.cause != .unparsed })
    let forbidden = objects + names(mapped)
    guard let reason = refusal, !forbidden.isEmpty else { return sentences }
    var ways: [String] = []
    if !others.isEmpty {
      let removals = objects.map { "{ remove: \"\($0.entity)\" }" }.joined(separator: ", ")
      ways.append(
        "Write the filters and uniqueBy so that they are SQL"
          + (removals.isEmpty ? "." : ", or say \(removals) in a text mapping if the rest may be removed."))
    }
    if !unparsed.isEmpty {
      ways.append(
        "Say in the expressions what a text in another form becomes, as in “coalesce(parseNumber($source.year), 0)”."
      )
    }
    let line = AcceptingLine(forbidden, besides: accepted)
    throw MigrationFailure(
      .dataLoss,
      message: sentences.joined(separator: " ") + " Losses are forbidden: \(reason).", details: [line.text],
      advice: (ways + [line.advice]).joined(separator: " "), family: family.name)
  }

  private var refusal: String? {
    if family.configuration.dataLoss == .refuse { return "family.json5 says dataLoss: \"refuse\"" }
    return isStrict ? MigrationFailure.strict : nil
  }

  func refuse(_ losses: [MigrationReport.Loss]) throws(MigrationFailure) {
    guard let reason = refusal,
      var failure = MigrationFailure(
        forbidden: losses, by: reason, accepted: family.configuration.acceptedLosses)
    else { return }
    failure.family = family.name
    throw failure
  }

  /// Objects of the first step's source that no filter or `uniqueBy` takes; some may be removed on purpose.
  private func filteredOut(_ step: PlannedStep) throws(MigrationFailure) -> [MigrationReport.Loss] {
    guard let plan = step.passPlan else { return [] }
    do {
      return try FilterGaps(plan, step.mappingModels).count {
        try PassSource(counts.store, externalFolder: external.readableFiles, now: now, observer: observer)
      }.map {
        .init(
          kind: .entity, entity: $0.entity, property: nil, values: $0.rows,
          cause: $0.isRemoved ? .removed : .filters)
      }
    } catch {
      throw MigrationFailure(
        running: error, family: family.name, store: name)
    }
  }

  private func untaken(
    _ step: PlannedStep, index: Int
  ) throws(MigrationFailure) -> [MigrationReport.Loss] {
    let names = MappingCoverage(step.mappingModels, from: step.source.model, to: step.destination.model).untaken
    var losses: [MigrationReport.Loss] = []
    for name in names {
      guard let entity = origins.entity(name, step: index) else { continue }
      let rows = try counts.rows(of: entity)
      losses.append(
        .init(kind: .entity, entity: entity, property: nil, values: rows, cause: .noEntityMapping))
    }
    return losses
  }

  private func removed(
    _ step: PlannedStep, index: Int
  ) throws(MigrationFailure) -> [MigrationReport.Loss] {
    let all = step.mappingModels.flatMap(\.entityMappings)
    let taken = Set(all.filter { $0.destinationEntityName != nil }.compactMap(\.sourceEntityName))
    var names: [String] = []
    for name in all.filter({ $0.destinationEntityName == nil }).compactMap(\.sourceEntityName)
    where !taken.contains(name) && !names.contains(name) {
      names.append(name)
    }
    var losses: [MigrationReport.Loss] = []
    for entity in names.compactMap({ origins.entity($0, step: index) }) {
      let rows = try counts.rows(of: entity)
      guard rows > 0 else { continue }
      losses.append(.init(kind: .entity, entity: entity, property: nil, values: rows, cause: .removed))
    }
    return losses
  }

  /// Pairs that inferred steps lose because a relationship can hold fewer targets, counted in the store.
  private func displaced() throws(MigrationFailure) -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    do {
      for questions in path.displacedPairs {
        for loss in try DisplacedPairs.losses(questions, in: counts.store) {
          // Pairs that an earlier step drops aren't counted twice.
          let former = losses.firstIndex { $0.entity == loss.entity && $0.property == loss.property }
          if let former {
            losses[former].values = max(losses[former].values, loss.values)
          } else {
            losses.append(loss)
          }
        }
      }
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
    return losses
  }

  /// Values whose external files are missing, of attributes whose values some step writes into rows.
  private func fileless() throws(MigrationFailure) -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    for place in path.inlinedAttributes {
      let count = try external.lostValues(
        of: place.column, in: place.table, entityNumber: place.number, counts.store)
      guard count > 0 else { continue }
      losses.append(
        .init(
          kind: .attribute, entity: place.entity, property: place.attribute, values: count, cause: .missingFile)
      )
    }
    return losses
  }

  private func loss(
    _ lost: InferredMapping.LostTargets, step: Int
  ) throws(MigrationFailure) -> MigrationReport.Loss? {
    guard let entity = origins.entity(lost.sourceEntity, step: step),
      let name = origins.relationship(lost.sourceRelationship, of: lost.sourceEntity, step: step)
    else { return nil }
    let targets = lost.targets.compactMap { origins.entity($0, step: step) }
    let count = try counts.pairs(of: name, entities: [entity], targets: targets)
    return count == 0 ? nil : .init(kind: .relationship, entity: entity, property: name, values: count)
  }

  private func checkNarrowings(
    _ mapping: InferredMapping, to version: String, index: Int
  ) throws(MigrationFailure) {
    for narrowing in mapping.narrowings {
      guard let entity = origins.entity(narrowing.sourceEntity, step: index),
        let name = origins.attribute(narrowing.sourceAttribute, of: narrowing.sourceEntity, step: index)
      else { continue }
      let count = try counts.values(of: name, entity: entity, outside: narrowing.range)
      guard count > 0 else { continue }
      throw MigrationFailure(
        .valuesDoNotFit,
        message:
          "Entity “\(entity)”\(self.version.map { " of the intermediate version “\($0)”" } ?? ""): \(counted(count, "value")) of attribute “\(name)” \(count == 1 ? "doesn't" : "don't") fit into "
          + "\(narrowing.range.lowerBound) to \(narrowing.range.upperBound), the range of “\(narrowing.destinationAttribute)” in "
          + "version “\(version)”.",
        advice:
          "Keep the larger integer type in the model, or write a mapping model that gives other values.",
        family: family.name)
    }
  }
}
