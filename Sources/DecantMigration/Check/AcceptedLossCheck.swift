internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel

/// Finds names in `acceptedLosses` that no step to the target loses.
///
/// A name is reported only if each step with that entity or property is inferred and keeps the entity or property. What
/// mapping models lose depends on their expressions, filters and policies. So each name in the source version of a step
/// with mapping models may be a loss.
struct AcceptedLossCheck {
  private typealias Name = AcceptedLosses.Name

  private let family: Family
  /// The names that no step given to `note` so far may lose.
  private var unlost: [Name]

  init(_ family: Family) {
    self.family = family
    unlost = family.configuration.acceptedLosses.names
  }

  mutating func note(_ steps: [PathPlan.Step]) {
    unlost.removeAll { Self.mayLose($0, on: steps) }
  }

  func fill(_ report: inout FamilyReport) {
    guard !unlost.isEmpty else { return }
    let path = family.folder.appendingPathComponent("family.json5").path
    let names = listed(unlost.map { "\($0)" })
    report.add(
      .note,
      "“acceptedLosses” names \(names), but no step of the catalogue's versions loses \(unlost.count == 1 ? "it" : "them"). Remove \(unlost.count == 1 ? "it" : "them") if "
        + "no other name was meant.",
      file: path, line: FamilyError.configuration(path: path, problem: "", key: "acceptedLosses").line)
  }

  private static func mayLose(_ name: Name, on steps: [PathPlan.Step]) -> Bool {
    // The names of the entity or property along the path: the given name, and its names after the inferred steps.
    var names: Set<Name> = []
    for step in steps {
      let model = step.source.model
      if exists(name, in: model) { names.insert(name) }
      guard case .inferred(let mapping) = step.work else {
        if !names.isEmpty { return true }
        continue
      }
      if names.contains(where: { loses($0, mapping, model, step.destination.model) }) { return true }
      names = Set(names.flatMap { successors(of: $0, mapping) })
    }
    return false
  }

  private static func exists(_ name: Name, in model: ManagedObjectModel) -> Bool {
    guard model.entity(named: name.entity) != nil else { return false }
    guard let property = name.property else { return true }
    return model.propertyNames(of: name.entity).contains(property)
      || model.attributes(of: name.entity).contains {
        $0.name == property || $0.element?.composite.name == property
      }
  }

  private static func loses(
    _ name: Name, _ mapping: InferredMapping, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> Bool {
    let accepted = AcceptedLosses([name])
    func covers(_ entity: String, _ property: String?) -> Bool {
      accepted.cover(entity: entity, property: property, in: source)
    }
    if mapping.drops.contains(where: { drop in
      ([drop.entity] + drop.entities).contains { covers($0, drop.property) }
    }) {
      return true
    }
    if mapping.lostTargets.contains(where: { covers($0.sourceEntity, $0.sourceRelationship) }) { return true }
    guard let property = name.property else { return false }
    if let relationship = source.relationship(property, of: name.entity) {
      return successors(of: name, mapping).contains { next in
        next.property.flatMap { destination.relationship($0, of: next.entity) }
          .map { !holdsAsMany(relationship, source, $0, destination) } ?? true
      }
    }
    // An external file may be missing when its value is written into a row. Then the value is lost.
    return source.attribute(property, of: name.entity)?.allowsExternalBinaryDataStorage == true
  }

  /// Whether the relationship `next` certainly holds all pairs of the relationship `former`, in their order.
  private static func holdsAsMany(
    _ former: Relationship, _ source: ManagedObjectModel, _ next: Relationship,
    _ destination: ManagedObjectModel
  ) -> Bool {
    former.isToMany == next.isToMany && (!former.isOrdered || next.isOrdered || !next.isToMany)
      && source.inverse(of: former)?.relationship.isToMany
        == destination.inverse(of: next)?.relationship.isToMany
  }

  private static func successors(of name: Name, _ mapping: InferredMapping) -> [Name] {
    mapping.mappingModel.entityMappings.compactMap { entity -> Name? in
      guard entity.sourceEntityName == name.entity, let next = entity.destinationEntityName else { return nil }
      guard let property = name.property else { return Name(entity: next) }
      let attribute = entity.attributeMappings.first { row in
        switch row.value {
        case .source(let name), .sourceOrDefault(let name): name == property
        case .defaultValue, .derived, .expression, .unset: false
        }
      }
      let relationship = entity.relationshipMappings.first { row in
        if case .source(let name) = row.value { name == property } else { false }
      }
      return Name(
        entity: next, property: attribute?.destinationName ?? relationship?.destinationName ?? property)
    }
  }
}
