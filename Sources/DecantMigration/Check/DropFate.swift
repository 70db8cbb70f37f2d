internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import Foundation

/// Whether a drop of an inferred step is a loss for the stores of the path, and whether it is on purpose.
struct DropFate {
  private let steps: [PathPlan.Step]
  private let family: Family

  init(_ steps: [PathPlan.Step], of family: Family) {
    self.steps = steps
    self.family = family
  }

  /// Whether the drop is to be reported.
  ///
  /// It isn't if the path's stores have no values of it, if the family accepts the loss, or if later mapping models
  /// remove all of its objects.
  ///
  /// - Parameter step: The index of the step that drops it.
  func isOpen(_ drop: InferredMapping.Drop, step: Int) -> Bool {
    guard !drop.entities.isEmpty, let origin = origin(of: drop, step: step) else { return false }
    let model = steps[origin.step].source.model
    if family.configuration.acceptedLosses.cover(entity: origin.entity, property: origin.property, in: model) {
      return false
    }
    return drop.kind == .entity || !drop.entities.allSatisfy { isRemoved($0, after: step) }
  }

  // MARK: Before the step

  /// The name under which a report tells the loss.
  private struct Origin {
    var entity: String
    var property: String?
    /// The index of the step whose source has the name.
    var step: Int
  }

  /// Traces a drop back through the inferred steps before it, because a report has the names of their source.
  ///
  /// Mapping models make new objects, so the trace ends there.
  private func origin(of drop: InferredMapping.Drop, step: Int) -> Origin? {
    let owners = [drop.entity] + drop.entities.filter { $0 != drop.entity }
    for owner in owners {
      var origin = Origin(entity: owner, property: drop.property, step: step)
      var isKnown = true
      while isKnown, origin.step > 0, case .inferred(let mapping) = steps[origin.step - 1].work {
        isKnown = Self.goBack(&origin, through: mapping, drop.kind)
      }
      if isKnown { return origin }
    }
    return nil
  }

  private static func goBack(
    _ origin: inout Origin, through mapping: InferredMapping, _ kind: InferredMapping.Drop.Kind
  ) -> Bool {
    guard
      let entity = mapping.mappingModel.entityMappings.first(where: {
        $0.destinationEntityName == origin.entity
      }), let source = entity.sourceEntityName
    else { return false }
    if let name = origin.property {
      switch kind {
      case .entity: break
      case .attribute:
        switch entity.attributeMappings.first(where: { $0.destinationName == name })?.value {
        case .source(let former), .sourceOrDefault(let former): origin.property = former
        case .defaultValue, .derived, .expression, .unset, nil: return false
        }
      case .relationship:
        // The pairs may have come from the other end, so a name without a source is no proof.
        let former = entity.relationshipMappings.first { $0.destinationName == name }?.sourceName
        origin.property = former ?? name
      }
    }
    origin.entity = source
    origin.step -= 1
    return true
  }

  // MARK: After the step

  /// Whether the next mapping models after a step remove all objects that an entity's objects have become.
  private func isRemoved(_ entity: String, after step: Int) -> Bool {
    var entity = entity
    for (index, next) in steps.enumerated() where index >= step {
      switch next.work {
      case .inferred(let mapping):
        let successor = mapping.mappingModel.entityMappings.first { $0.sourceEntityName == entity }
        guard let name = successor?.destinationEntityName else { return false }
        entity = name
      case .mappingModels(let files): return Self.removed(by: files, next).contains(entity)
      }
    }
    return false
  }

  /// The entities whose objects are removed as a whole; none if a mapping model can't be read.
  private static func removed(by files: [FamilyMappingModel], _ step: PathPlan.Step) -> Set<String> {
    var mappings: [EntityMapping] = []
    for file in files {
      guard let reading = try? MappingModelReading.read(at: URL(fileURLWithPath: file.file.path)),
        let model = try? reading.compiled(from: step.source.model, to: step.destination.model, completing: nil)
      else { return [] }
      mappings += model.entityMappings
    }
    let taken = mappings.filter { $0.destinationEntityName != nil }.compactMap(\.sourceEntityName)
    return Set(mappings.filter { $0.destinationEntityName == nil }.compactMap(\.sourceEntityName))
      .subtracting(taken)
  }
}
