internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel

/// Whether a drop of an inferred step is a loss for the stores of the path, and whether the family accepts it.
struct DropFate {
  private let steps: [PathPlan.Step]
  private let family: Family

  init(_ steps: [PathPlan.Step], of family: Family) {
    self.steps = steps
    self.family = family
  }

  /// Whether the drop is to be reported.
  ///
  /// A drop isn't reported if the path's stores have no values of the property, if the family accepts the loss, or if
  /// the drop concerns only abstract entities.
  ///
  /// - Parameter step: The index of the step that drops the entity or property.
  func isOpen(_ drop: InferredMapping.Drop, step: Int) -> Bool {
    isOpen(drop.kind, drop.property, of: [drop.entity] + drop.entities, step: step) && !drop.entities.isEmpty
  }

  /// Whether the loss of a property is to be reported.
  ///
  /// - Parameter owners: Entities that have the property.
  func isOpen(
    _ kind: InferredMapping.Drop.Kind, _ property: String?, of owners: [String], step: Int
  ) -> Bool {
    guard let origin = origin(kind, property, of: owners, step: step) else { return false }
    let model = steps[origin.step].source.model
    return !family.configuration.acceptedLosses.cover(
      entity: origin.entity, property: origin.property, in: model)
  }

  private struct Origin {
    var entity: String
    var property: String?
    /// The index of the step whose source version has this name.
    var step: Int
  }

  /// Traces a drop back through the inferred steps before it, because a report uses the names of the first step's
  /// source.
  ///
  /// Mapping models make new objects, so the trace ends at a step with mapping models.
  ///
  /// - Parameter owners: The first owner that can be traced is used.
  /// - Returns: `nil` if no owner can be traced: an earlier inferred step added the entity or the attribute.
  private func origin(
    _ kind: InferredMapping.Drop.Kind, _ property: String?, of owners: [String], step: Int
  ) -> Origin? {
    for owner in owners {
      var origin = Origin(entity: owner, property: property, step: step)
      var isKnown = true
      while isKnown, origin.step > 0, case .inferred(let mapping) = steps[origin.step - 1].work {
        isKnown = Self.goBack(&origin, through: mapping, kind)
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
        // The pairs may come from the inverse, so a relationship without a source may still have values. Then the name
        // stays the same.
        let former = entity.sourceRelationship(of: name)
        origin.property = former ?? name
      }
    }
    origin.entity = source
    origin.step -= 1
    return true
  }
}
