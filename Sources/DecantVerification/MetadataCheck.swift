internal import DecantModel
internal import DecantStore

/// Checks UUID, version hashes and every key of the metadata.
struct MetadataCheck {
  private let stores: StorePair

  init(_ stores: StorePair) {
    self.stores = stores
  }

  func run(_ findings: inout Findings) {
    let (before, after) = (stores.source.metadata, stores.destination.metadata)
    if before.uuid != after.uuid {
      findings.add(.uuid, examples: ["\(after.uuid) instead of \(before.uuid)"])
    }
    compareHashes(after.versionHashes ?? [:], &findings)
    let framework = after.framework ?? .current
    let wanted = before.updated(for: stores.lineage.destination, framework: framework)
    let keys = Set(wanted.entries.keys).union(after.entries.keys).subtracting([StoreMetadata.Key.hashes])
    for key in keys.sorted() where wanted.entries[key] != after.entries[key] {
      // An unchanged store keeps its own framework's values.
      if stores.lineage.isOneVersion, before.entries[key] == after.entries[key] { continue }
      let what =
        wanted.entries[key] == nil ? "surplus" : after.entries[key] == nil ? "missing" : "another value"
      findings.add(.metadataKey, name: key, examples: [what])
    }
    let oldest = FrameworkVersion.oldest(expressing: stores.lineage.destination)
    if framework < oldest, !stores.lineage.isOneVersion {
      findings.add(
        .metadataKey, name: StoreMetadata.Key.framework,
        examples: ["\(framework.number); the model needs \(oldest.number)"])
    }
  }

  private func compareHashes(_ found: EntityVersionHashes, _ findings: inout Findings) {
    let wanted = stores.lineage.destination.entityVersionHashes
    for entity in Set(wanted.keys).union(found.keys).sorted() where wanted[entity] != found[entity] {
      let what = found[entity] == nil ? "missing" : wanted[entity] == nil ? "surplus" : "another version's"
      findings.add(.versionHash, entity: entity, examples: [what])
    }
  }
}
