internal import DecantModel

extension MappingCheck {
  /// Finds a text whose `source` and `destination` are exchanged.
  ///
  /// Names of properties are not enough evidence, because an author may also write an old name in place of a new one.
  mutating func checkDirection(of text: MappingModelDraft) -> Bool {
    guard text.isWhole, let from = text.sourceVersion, let to = text.destinationVersion,
      !hasEntities(of: text, from: source, to: destination),
      hasAllNames(of: text, from: destination, to: source)
    else { return false }
    report(
      "the names in its entity mappings fit only a migration from “\(to)” to “\(from)”",
      "Exchange “source” and “destination” of the mapping model")
    return true
  }

  private func hasEntities(
    of text: MappingModelDraft, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> Bool {
    text.entityMappings.allSatisfy { entity in
      (entity.sourceEntityName.map { source.entity(named: $0) != nil } ?? true)
        && (entity.destinationEntityName.map { destination.entity(named: $0) != nil } ?? true)
    }
  }

  private func hasAllNames(
    of text: MappingModelDraft, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> Bool {
    hasEntities(of: text, from: source, to: destination)
      && text.entityMappings.allSatisfy { entity in
        guard let name = entity.destinationEntityName else { return true }
        return Set(entity.attributes.keys).isSubset(of: destination.attributes(of: name).map(\.name))
          && Set(entity.relationships.keys).isSubset(of: destination.relationships(of: name).map(\.name))
      }
  }
}
