internal import DecantMapping
internal import DecantModel

/// One-to-one relationships of objects that stand for several source objects.
extension RowSession {
  /// Not one that leads back to itself.
  func isOneToOne(_ relationship: Relationship) -> Bool {
    guard !relationship.isToMany, let inverse = plan.destination.model.inverse(of: relationship)?.relationship
    else { return false }
    return !inverse.isToMany && inverse.name != relationship.name
  }

  /// One object for each value asks once, for the target of its first source object that has one, and not at all where
  /// it has a target already; who asks with the latest source object has it (`DestinationLinks.claimed`).
  func claim(
    _ row: RelationshipMapping, _ relationship: Relationship, for dInstance: ManagedObject,
    _ sources: [ManagedObject], _ mapping: PassPlan.Mapping
  ) throws {
    let contents = try destinationContents(dInstance)
    guard try contents.value(forKey: relationship.name) == nil,
      let own = try firstClaim(row, relationship, of: dInstance, sources)
    else { return }
    if let inverse = plan.destination.model.inverse(of: relationship)?.relationship.name,
      let rival = try own.target.contents.value(forKey: inverse) as? ManagedObject,
      let place = (rival.contents as? DestinationContents)?.place
    {
      let others = try destination.book.sources(of: place, mapping: mapping.number).compactMap {
        source.object(entity: mapping.source, key: $0, known: nil, in: manager.sourceContext)
      }
      if let other = try firstClaim(row, relationship, of: rival, others),
        other.target.objectID == own.target.objectID, other.source > own.source
      {
        countingDisplaced { destination.noteDisplaced() }
        return
      }
    }
    try countingDisplaced { try contents.setValue(own.target, forKey: relationship.name) }
  }

  private func firstClaim(
    _ row: RelationshipMapping, _ relationship: Relationship, of dInstance: ManagedObject,
    _ sources: [ManagedObject]
  ) throws -> (source: Int64, target: ManagedObject)? {
    for object in sources.sorted(by: { $0.objectID.key < $1.objectID.key }) {
      if let first = try targets(row, of: object, dInstance, relationship).first {
        return (object.objectID.key, first)
      }
    }
    return nil
  }
}
