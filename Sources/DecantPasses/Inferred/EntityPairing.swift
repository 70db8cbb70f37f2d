package import DecantMapping
internal import DecantModel
package import DecantStore

/// The entity mappings that copy rows in a step, with the layouts of source and destination.
package struct EntityPairing: Sendable {
  /// One entity mapping, with the numbers (`Z_ENT`) of its source entity and its destination entity.
  package struct Pair: Sendable {
    package let mapping: EntityMapping
    package let source: String
    package let destination: String
    package let sourceNumber: Int
    package let destinationNumber: Int
  }

  package let source: StoreLayout
  package let destination: StoreLayout
  package let pairs: [Pair]
  /// The pairs, by their destination entity and by each of its ancestors.
  private let families: [String: [Pair]]
  /// Whether the step leads from a version to itself.
  let isIdentity: Bool

  package init(source: StoreLayout, destination: StoreLayout, mappingModel: MappingModel) {
    self.source = source
    self.destination = destination
    pairs = mappingModel.entityMappings.compactMap { mapping in
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
        let sourceNumber = source.entityNumbers[from], let destinationNumber = destination.entityNumbers[to],
        source.model.entity(named: from)?.isAbstract == false,
        destination.model.entity(named: to)?.isAbstract == false
      else { return nil }
      return Pair(
        mapping: mapping, source: from, destination: to, sourceNumber: sourceNumber,
        destinationNumber: destinationNumber)
    }.sorted { $0.sourceNumber < $1.sourceNumber }
    var families: [String: [Pair]] = [:]
    for pair in pairs {
      for entity in destination.model.chain(of: pair.destination) {
        families[entity.name, default: []].append(pair)
      }
    }
    self.families = families
    isIdentity =
      source.model.entityVersionHashes == destination.model.entityVersionHashes
      && mappingModel.entityMappings.allSatisfy { $0.sourceEntityName == $0.destinationEntityName }
  }

  /// A pairing without entity mappings, for work that copies no rows.
  package static func none(from source: StoreLayout, to destination: StoreLayout) -> EntityPairing {
    EntityPairing(
      source: source, destination: destination,
      mappingModel: MappingModel(name: "", origin: .inferred, entityMappings: []))
  }

  /// The pairs whose destination entity is an entity or one of its subentities.
  package func pairs(intoFamilyOf entity: String) -> [Pair] {
    families[entity] ?? []
  }

  /// Whether a derived attribute is computed as before, so that the source's values stay valid.
  func keepsDerivedValues(of attribute: Attribute, _ pair: Pair) -> Bool {
    guard let former = source.model.attribute(attribute.name, of: pair.source) else { return false }
    return former.isDerived && former.derivationExpression == attribute.derivationExpression
      && former.type == attribute.type
  }

  /// SQL (`CASE`) that turns source entity numbers into destination entity numbers.
  package func renumbering(of expression: String, _ pairs: [Pair]) -> String {
    guard !pairs.isEmpty else { return "NULL" }
    let branches = pairs.map { "WHEN \($0.sourceNumber) THEN \($0.destinationNumber)" }.joined(separator: " ")
    return "CASE \(expression) \(branches) END"
  }
}
