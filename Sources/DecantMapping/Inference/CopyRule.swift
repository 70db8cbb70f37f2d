internal import DecantModel

/// Whether an entity mapping is a copy (docs/formats/mapping-models.md 3.1).
///
/// The destination may have further properties.
struct CopyRule {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  func isCopy(_ from: String, _ to: String) -> Bool {
    let chain = source.chain(of: from).map(\.name)
    guard !chain.isEmpty, chain == destination.chain(of: to).map(\.name) else { return false }
    let attributes = Dictionary(destination.attributes(of: to).map { ($0.name, $0) }) { first, _ in first }
    let relationships = Dictionary(destination.relationships(of: to).map { ($0.name, $0) }) { first, _ in first
    }
    return source.attributes(of: from).allSatisfy { $0.versionHash == attributes[$0.name]?.versionHash }
      && source.relationships(of: from).allSatisfy { $0.versionHash == relationships[$0.name]?.versionHash }
  }
}
