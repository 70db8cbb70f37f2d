internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore

/// The losses of mapping models that depend on a store's rows, and the lost order of inferred steps.
extension LossCount {
  /// The unread properties that every object of their entities loses.
  ///
  /// If the entity mappings of an entity may leave out objects, `PartlyRead` counts the lost attribute values of the
  /// objects that are taken.
  func alwaysLost(_ step: PlannedStep) -> [UnreadProperties.Property] {
    let all = step.mappingModels.flatMap(\.entityMappings)
    let whole = Set(
      all.filter { $0.destinationEntityName != nil && !$0.chooses }.compactMap(\.sourceEntityName))
    return step.unread.lost.compactMap { property in
      guard var part = property.limited(whole.contains) else { return nil }
      part.targets = part.targets.filter(whole.contains)
      return part.kind == .relationship && part.targets.isEmpty ? nil : part
    }
  }

  /// The losses in objects that the first step's mapping models take, where the rows decide what is lost.
  func rowLosses(_ step: PlannedStep) throws(MigrationFailure) -> [MigrationReport.Loss] {
    guard let plan = step.passPlan, let questions = step.mappedLosses?.questions, !questions.isEmpty else {
      return []
    }
    var items: [LossQuestion.Item] = []
    var values: [LossQuestion.Item: Int] = [:]
    do {
      let source = try PassSource(
        counts.store, externalFolder: external.readableFiles, now: now, observer: observer)
      for question in questions {
        let numbers = try source.numbers(question.statement, of: question.mappings, in: plan)
        for (item, number) in zip(question.items, numbers) {
          if values[item] == nil { items.append(item) }
          values[item, default: 0] += number
        }
      }
    } catch {
      throw MigrationFailure(running: error, family: family.name, store: name)
    }
    return items.compactMap { item in
      let number = values[item] ?? 0
      // A property that nothing reads is listed even if it has no values.
      let isListed =
        number > 0
        || item.cause == .unread
          && step.unread.lost.contains { $0.name == item.property && $0.entities.contains(item.entity) }
      guard isListed else { return nil }
      return .init(
        kind: item.kind, entity: item.entity, property: item.property, values: number, cause: item.cause)
    }
  }

  /// Sentences about relationships whose pairs are counted when a step ends.
  func pairNotes() -> [String] {
    steps.compactMap { step in
      let questions = step.mappedWork?.pairQuestions ?? []
      var names: [String] = []
      for name in questions.map({ "“\($0.entity).\($0.relationship)”" }) where !names.contains(name) {
        names.append(name)
      }
      guard !names.isEmpty else { return nil }
      return "The lost targets of \(names.prefix(8).joined(separator: ", "))"
        + (names.count > 8 ? " and \(names.count - 8) more" : "")
        + " are counted when the step “\(step.source.name)” to “\(step.destination.name)” ends."
    }
  }

  /// The targets whose order an inferred step loses, because the relationship is no longer ordered.
  func orderLosses(
    _ mapping: InferredMapping, _ step: PlannedStep, index: Int
  ) throws(MigrationFailure) -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    for entity in mapping.mappingModel.entityMappings {
      guard let source = entity.sourceEntityName, let destination = entity.destinationEntityName,
        let owner = origins.entity(source, step: index)
      else { continue }
      for row in entity.relationshipMappings {
        guard let name = row.sourceName,
          step.source.model.relationship(name, of: source)?.isOrdered == true,
          let now = step.destination.model.relationship(row.destinationName, of: destination), now.isToMany,
          !now.isOrdered, let pairs = origins.pairs(of: name, entity: source, step: index)
        else { continue }
        let values = try counts.orderedPairs(
          of: pairs.name, entity: pairs.entity, owners: owner, isReversed: pairs.isReversed)
        guard values > 0 else { continue }
        let known = losses.firstIndex { $0.entity == pairs.entity && $0.property == pairs.name }
        if let known {
          losses[known].values += values
        } else {
          losses.append(
            .init(
              kind: .relationship, entity: pairs.entity, property: pairs.name, values: values, cause: .order))
        }
      }
    }
    return losses
  }
}
