internal import DecantModel

extension MappingCheck {
  /// Tells a text whose `source` and `destination` are exchanged: it says names that the versions don't have, and that
  /// they all have the other way round.
  ///
  /// - Returns: Whether it is so.
  mutating func checkDirection(of text: MappingModelDraft) -> Bool {
    guard text.isWhole, let from = text.sourceVersion, let to = text.destinationVersion,
      !hasAllNames(of: text, from: source, to: destination),
      hasAllNames(of: text, from: destination, to: source)
    else { return false }
    report(
      "its entity mappings have names that fit the way from “\(to)” to “\(from)” only",
      "Exchange “source” and “destination” of the mapping model")
    return true
  }

  /// Whether the versions have the entities that are named, and the destination the properties that get values.
  private func hasAllNames(
    of text: MappingModelDraft, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> Bool {
    text.entityMappings.allSatisfy { entity in
      if let name = entity.sourceEntityName, source.entity(named: name) == nil { return false }
      guard let name = entity.destinationEntityName else { return true }
      guard destination.entity(named: name) != nil else { return false }
      return Set(entity.attributes.keys).isSubset(of: destination.attributes(of: name).map(\.name))
        && Set(entity.relationships.keys).isSubset(of: destination.relationships(of: name).map(\.name))
    }
  }
}
