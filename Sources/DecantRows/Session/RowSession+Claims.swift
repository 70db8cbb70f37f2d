internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies

/// One-to-one relationships of objects that have several source objects.
extension RowSession {
  /// Whether a relationship is one-to-one and not its own inverse.
  func isOneToOne(_ relationship: Relationship) -> Bool {
    guard !relationship.isToMany, let inverse = plan.destination.model.inverse(of: relationship)?.relationship
    else { return false }
    return !inverse.isToMany && inverse != relationship
  }

  /// Lets an object with several source objects claim one target.
  ///
  /// It claims the target of its first source object that has a target. If it has a target already, it claims
  /// nothing. If several objects claim one target, the claim with the latest source object wins
  /// (`DestinationLinks.claimed`).
  func claim(
    _ row: RelationshipMapping, _ relationship: Relationship, for dInstance: ManagedObject,
    _ mapping: PassPlan.Mapping
  ) throws {
    let contents = try destinationContents(dInstance)
    guard try contents.value(forKey: relationship.name) == nil,
      let own = try firstClaim(row, relationship, of: dInstance, contents.place, mapping)
    else { return }
    if let inverse = plan.destination.model.inverse(of: relationship)?.relationship.name,
      let rival = try own.target.contents.value(forKey: inverse) as? ManagedObject,
      let place = (rival.contents as? DestinationContents)?.place
    {
      if let other = try firstClaim(row, relationship, of: rival, place, mapping),
        other.target.objectID == own.target.objectID, other.source > own.source
      {
        countingDisplaced { destination.noteDisplaced() }
        return
      }
    }
    try countingDisplaced { try contents.setValue(own.target, forKey: relationship.name) }
  }

  private func firstClaim(
    _ row: RelationshipMapping, _ relationship: Relationship, of dInstance: ManagedObject, _ place: RowKey,
    _ mapping: PassPlan.Mapping
  ) throws -> (source: Int64, target: ManagedObject)? {
    var claim: (source: Int64, target: ManagedObject)?
    try eachSource(of: place, mapping) { source in
      claim = try targets(row, of: source, dInstance, relationship).first.map { (source.objectID.key, $0) }
      return claim == nil
    }
    return claim
  }
}
