internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore

/// Objects that will have too few targets of a relationship, because the new version has a stricter rule.
///
/// The relationship has become required, or needs more targets.
///
/// Unless `validation` says otherwise, inferred steps copy such objects and report them (docs/mapping-models.md, “Rules
/// of the destination model”). Core Data refuses to save such an object at its next change.
struct RequiredRelationships {
  let steps: [PlannedStep]
  let counts: StoreCounts
  var goesToQuarantine = false

  /// One sentence for each relationship with such objects.
  func findings() throws(MigrationFailure) -> [String] {
    // Objects made by mapping models are checked when they are made. So only inferred paths are examined here.
    guard let last = steps.last, steps.allSatisfy({ $0.inferred != nil }) else { return [] }
    let model = last.destination.model
    var missing: [StoreLayout.Property: Int] = [:]
    for entity in model.entities where !entity.isAbstract {
      let required = model.relationships(of: entity.name).filter { !$0.isTransient && !$0.isOptional }
      guard !required.isEmpty, let former = StoreOrigins(steps: steps).entity(entity.name, step: steps.count)
      else { continue }
      for relationship in required {
        let declaring = model.declaringEntity(of: relationship.name, in: entity.name) ?? entity
        let place = StoreLayout.Property(entity: declaring.name, name: relationship.name)
        missing[place, default: 0] += try count(relationship, of: entity.name, former: former)
      }
    }
    return missing.filter { $0.value > 0 }.sorted { "\($0.key)" < "\($1.key)" }.map { place, count in
      "\(count) \(count == 1 ? "object has" : "objects have") too few targets of the relationship “\(place)”, which is "
        + "required in version “\(last.destination.name)”; "
        + (goesToQuarantine
          ? "such objects go to quarantine."
          : "such objects are migrated, and Core Data refuses to save them until they have enough.")
    }
  }

  private func count(
    _ relationship: Relationship, of entity: String, former: String
  ) throws(MigrationFailure) -> Int {
    // A required to-many relationship without a minimum may be empty; `TargetRules` has the same rule.
    let wanted = relationship.isToMany ? relationship.minimumCount : 1
    guard wanted > 0 else { return 0 }
    guard let pairs = StoreOrigins(steps: steps).pairs(of: relationship.name, entity: entity, step: steps.count)
    else { return try counts.rows(of: former) }
    // If the store's own version has the same rule or a stricter one, the application is responsible for an object that
    // breaks the rule. Such objects aren't counted.
    if !pairs.isReversed, let before = counts.layout.model.relationship(pairs.name, of: pairs.entity),
      !before.isOptional, (before.isToMany ? before.minimumCount : 1) >= wanted
    {
      return 0
    }
    guard let storage = RelationshipStorage(of: pairs.name, entity: pairs.entity, in: counts.layout) else {
      return try counts.rows(of: former)
    }
    var storages = [pairs.isReversed ? storage.reversed : storage]
    if !pairs.isReversed, let other = union(pairs, relationship) { storages.append(other) }
    return try counts.rows(of: former, withFewerThan: wanted, in: storages)
  }

  /// The pairs of the store's relationship that has become the inverse, with owner and target exchanged.
  ///
  /// - Returns: `nil` if no relationship has become the inverse, or if one of the two relationships had an inverse
  ///   before.
  private func union(_ pairs: StoreOrigins.Pairs, _ relationship: Relationship) -> RelationshipStorage? {
    guard let model = steps.last?.destination.model, let inverse = model.inverse(of: relationship) else {
      return nil
    }
    let store = counts.layout.model
    for entity in model.family(of: inverse.entity.name) {
      guard
        let other = StoreOrigins(steps: steps).pairs(
          of: inverse.relationship.name, entity: entity.name, step: steps.count),
        !other.isReversed, (other.entity, other.name) != (pairs.entity, pairs.name)
      else { continue }
      let isOpen = [pairs, other].allSatisfy { store.hasOpenRelationship($0.name, of: $0.entity) }
      return isOpen
        ? RelationshipStorage(of: other.name, entity: other.entity, in: counts.layout)?.reversed : nil
    }
    return nil
  }
}
