internal import DecantCatalogue
internal import DecantEngine
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// The plan of a job: its steps, and the disk space that they need.
extension JobQuestions {
  /// The steps of the plan; only the first step has numbers of rows.
  func plannedSteps(_ ways: [StepWay?]) throws(MigrationFailure) -> [MigrationPlan.Step] {
    var steps: [MigrationPlan.Step] = []
    for (index, step) in path.steps.enumerated() {
      var planned = try planned(step, counts: index == 0 ? counts : nil)
      (planned.way, planned.wayReason) = (ways[index]?.word, ways[index]?.reason)
      steps.append(planned)
    }
    return steps
  }

  func ways() throws(MigrationFailure) -> [StepWay?] {
    let configuration = family.configuration
    return try WayChoice(
      job: job, store: store, layout: sourceLayout, steps: path.steps, prefersNew: configuration.rewrite,
      isSmall: SmallStore.isSmall(store.readPath, of: job)
    ).ways()
  }

  private func planned(
    _ step: PlannedStep, counts: StoreCounts?
  ) throws(MigrationFailure) -> MigrationPlan.Step {
    var mappings: [MigrationPlan.EntityMappingPlan] = []
    let ways = Dictionary(
      (step.mappedWork?.ways ?? []).map { ($0.mapping.number, $0) }, uniquingKeysWith: { one, _ in one })
    var number = 0
    for model in step.mappingModels {
      let rules = WritingRules(model, source: step.source.model, destination: step.destination.model)
      for (index, mapping) in model.entityMappings.enumerated() {
        number += 1
        var planned = MigrationPlan.EntityMappingPlan(
          name: mapping.name, type: Self.word(mapping.type), source: mapping.sourceEntityName,
          destination: mapping.destinationEntityName)
        if let counts {
          planned.rows = if let source = mapping.sourceEntityName { try counts.rows(of: source) } else { 0 }
        }
        if model.path != nil {
          planned.take(mapping, of: model, rules, index)
          if case .className? = mapping.policy { planned.needsWorker = true }
          planned.way = ways[number]?.planned ?? planned.way
          if counts != nil, let placed = ways[number]?.mapping, let plan = step.passPlan,
            preparation.countsFiltered
          {
            let left = try leftOver(of: placed, in: plan)
            planned.filtered = placed.mapping.filter == nil ? nil : left?.filtered
            planned.withoutValue = placed.mapping.uniqueBy == nil ? nil : left?.withoutValue
          }
        }
        mappings.append(planned)
      }
    }
    return MigrationPlan.Step(
      source: step.source.name, destination: step.destination.name, passes: step.mappingModels.map(\.name),
      entityMappings: mappings, framework: step.destinationLayout.framework.number, findings: step.findings)
  }

  private func leftOver(
    of mapping: PassPlan.Mapping, in plan: PassPlan
  ) throws(MigrationFailure) -> PassSource.LeftOver? {
    guard mapping.mapping.filter != nil || mapping.mapping.uniqueBy != nil else { return nil }
    do {
      return try PassSource(
        store, externalFolder: external.readableFiles, now: now
      ).leftOver(of: mapping, in: plan)
    } catch {
      throw MigrationFailure(running: error, family: family.name, store: preparation.name)
    }
  }

  /// The disk space in bytes that the job needs.
  ///
  /// - Parameters:
  ///   - first: The plan of the first step. `nil` if the plan isn't shown, or if there is no step.
  ///   - putAside: The size of the stray rows' store in bytes; that store was made before the first step.
  ///   - beginsAsCopy: Whether the first step's working file is a copy of the source.
  func diskNeed(
    _ first: MigrationPlan.Step?, putAside: Int, beginsAsCopy: Bool
  ) throws(MigrationFailure) -> Int {
    var need = DiskNeed(store: store, layout: sourceLayout, steps: path.steps)
    need.beginsAsCopy = beginsAsCopy
    need.putAside = putAside
    for (place, mapping) in (first?.entityMappings ?? []).enumerated() {
      need.taken[place + 1] = mapping.takenShare
    }
    let files: Int
    do { files = try external.bytes() } catch { throw MigrationFailure(error) }
    return try need.bytes(external: files)
  }

  private static func word(_ type: EntityMappingType) -> String {
    switch type {
    case .undefined: "undefined"
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }
}

extension MigrationPlan.EntityMappingPlan {
  fileprivate var takenShare: Double? {
    guard filtered != nil || withoutValue != nil, let rows, rows > 0 else { return nil }
    return Double(max(0, rows - (filtered ?? 0) - (withoutValue ?? 0))) / Double(rows)
  }

  fileprivate mutating func take(
    _ mapping: EntityMapping, of model: MappingModel, _ rules: WritingRules, _ index: Int
  ) {
    pass = model.name
    filter = mapping.filter.flatMap { $0 == .always ? nil : "\($0)" }
    uniqueBy = mapping.uniqueBy.map { "\($0)" }
    policy = mapping.policy?.text
    switch mapping.chunks {
    case .automatic: break
    case .size(let rows): chunkRows = rows
    case .predicates(let predicates): chunks = predicates.map { "\($0)" }
    }
    let byRule = Dictionary(rules.attributes(index).map { ($0.destinationName, $0.value) }) { one, _ in one }
    attributes = mapping.attributeMappings.map { row in
      .init(
        name: row.destinationName, expression: row.value.text,
        isRule: row.value == byRule[row.destinationName] ?? .unset)
    }
    let links = Dictionary(rules.relationships(index).map { ($0.destinationName, $0.value) }) { one, _ in one }
    relationships = mapping.relationshipMappings.map { row in
      let lookup = row.value.lookup
      var maker: String?
      if case .entityMapping(let name)? = lookup?.kind { maker = name }
      return .init(
        name: row.destinationName, expression: row.value.text, path: lookup.map { "\($0.sources)" },
        mapping: maker, isRule: row.value == links[row.destinationName] ?? .unset)
    }
    // The entities are alike, but the mapping model changes values. So the type isn't `copy`.
    if type == "copy", attributes.contains(where: { !$0.isRule }) { type = "transform" }
  }
}

extension AttributeMapping.Value {
  fileprivate var text: String? {
    switch self {
    case .expression(let expression): "\(expression)"
    case .source(let name), .sourceOrDefault(let name): "\(FormatExpression.source(name))"
    case .defaultValue, .derived, .unset: nil
    }
  }
}

extension RelationshipMapping.Value {
  fileprivate var lookup: DestinationLookup? {
    if case .expression(let expression) = self { DestinationLookup(expression) } else { nil }
  }

  fileprivate var text: String? {
    switch self {
    case .expression(let expression): "\(expression)"
    case .source(let name): "\(FormatExpression.source(name))"
    case .unset: nil
    }
  }
}
