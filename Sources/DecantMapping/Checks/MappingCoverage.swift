public import DecantModel

/// The entities that the mapping models of one pair of versions don't mention.
public struct MappingCoverage: Sendable, Hashable {
  /// Source entities, not abstract, that no entity mapping takes or removes, in name order.
  public let untaken: [String]
  /// Destination entities, not abstract, that no entity mapping makes, in name order.
  public let unmade: [String]
  /// Entities of `unmade` whose objects the mapping models explicitly remove.
  public let removed: Set<String>

  /// - Parameter mappings: The mapping models of all passes.
  public init(_ mappings: [MappingModel], from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    let all = mappings.flatMap(\.entityMappings)
    let taken = Set(all.compactMap(\.sourceEntityName))
    let made = Set(all.compactMap(\.destinationEntityName))
    func rest(_ model: ManagedObjectModel, _ known: Set<String>) -> [String] {
      model.entities.filter { !$0.isAbstract && !known.contains($0.name) }.map(\.name)
        .sorted(by: NameOrder.codePoints)
    }
    untaken = rest(source, taken)
    unmade = rest(destination, made)
    removed = Set(all.filter { $0.destinationEntityName == nil }.compactMap(\.sourceEntityName))
      .intersection(unmade)
  }
}
