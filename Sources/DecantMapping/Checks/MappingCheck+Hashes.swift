internal import DecantModel

extension MappingCheck {
  /// Finds entities whose version hash in the mapping model isn't that of the model.
  mutating func checkHashes() {
    let (from, to) = (source.entityVersionHashes, destination.entityVersionHashes)
    var told: Set<String> = []
    for entity in mapping.entityMappings {
      checkHash(
        entity.sourceHash, entity.sourceEntityName, from, ("source", source, formerSource), entity, &told)
      checkHash(
        entity.destinationHash, entity.destinationEntityName, to,
        ("destination", destination, formerDestination), entity, &told)
    }
  }

  private mutating func checkHash(
    _ hash: VersionHash?, _ name: String?, _ present: EntityVersionHashes,
    _ side: (name: String, model: ManagedObjectModel, former: ManagedObjectModel?), _ entity: EntityMapping,
    _ told: inout Set<String>
  ) {
    guard let hash, let name, let now = present[name], now != hash,
      told.insert("\(side.name) \(name) \(hash)").inserted
    else { return }
    var problem =
      "it was made for another state of the \(side.name) entity “\(name)” (version hash "
      + "\(hash.hexadecimal) in the mapping model, \(now.hexadecimal) in the model)"
    if let former = side.former {
      let words = EntityDifference(former: former, present: side.model, entity: name).words
      problem += ": since then " + words.joined(separator: ", ")
    }
    report(
      problem,
      acceptsStaleHashes
        ? "It is used because of “acceptStaleHashes”"
        : "Save the mapping model again for these versions. If the differences don't matter, write "
          + "acceptStaleHashes: [\"\(fileName)\"] in family.json5",
      acceptsStaleHashes ? .warning : .error, in: entity, subject: .hash)
  }
}
