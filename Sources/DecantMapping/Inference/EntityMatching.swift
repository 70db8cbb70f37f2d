internal import DecantModel

/// The source entity that each destination entity continues, checked against the rules for hierarchies
/// (docs/formats/inference.md 2).
struct EntityMatching {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  private let sources: [String: String]
  private let destinations: [String: String]
  private(set) var refusals: [InferenceError]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, renames: Renames,
    history: RenameHistory
  ) {
    let matching = NameMatching(
      destination.entities, to: source.entities, stated: renames.oldEntityNames,
      older: history.olderNames(ofEntity:))
    refusals =
      matching.severalStated.sorted { NameOrder.codePoints($0.key, $1.key) }.map {
        .severalSources(destination: $0.key, sources: $0.value)
      }
      + matching.shared.map { .sharedEntity(source: $0.source, destinations: $0.destinations) }
    self.source = source
    self.destination = destination
    sources = matching.sources
    destinations = Dictionary(matching.sources.map { ($0.value, $0.key) }) { min($0, $1) }
    checkHierarchies()
  }

  func source(of destination: String) -> String? { sources[destination] }

  func destination(of source: String) -> Entity? {
    destinations[source].flatMap { destination.entity(named: $0) }
  }

  /// The source entities that no destination entity continues, in the model's order.
  var removed: [Entity] { source.entities.filter { destinations[$0.name] == nil } }

  /// Checks that each table gets the rows of only one former table.
  ///
  /// Abstract entities have no rows and don't count.
  private mutating func checkHierarchies() {
    for root in destination.rootEntities {
      var entitiesByRoot: [String: String] = [:]
      for entity in destination.family(of: root.name) where !entity.isAbstract {
        guard let name = sources[entity.name], let from = source.entity(named: name), !from.isAbstract else {
          continue
        }
        let former = source.root(of: name)?.name ?? name
        entitiesByRoot[former] = entitiesByRoot[former] ?? name
      }
      if entitiesByRoot.count > 1 {
        refusals.append(
          .mergedHierarchies(
            root: root.name, sources: entitiesByRoot.values.sorted(by: NameOrder.codePoints)))
      }
    }
  }
}
