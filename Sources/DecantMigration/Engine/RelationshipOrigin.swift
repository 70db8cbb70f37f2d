internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// Which source pairs a destination relationship continues: by its own mapping, or by its inverse's, because
/// setting one end sets the other (DESIGN, “References”).
struct RelationshipOrigin {
  private let pairing: EntityPairing

  init(_ pairing: EntityPairing) {
    self.pairing = pairing
  }

  /// The storages whose pairs a relationship takes over, seen from the relationship's own end; mostly one.
  func storages(of property: StoreLayout.Property) -> [RelationshipStorage] {
    let own = direct(property)
    guard own.isEmpty,
      let relationship = pairing.destination.model.relationship(property.name, of: property.entity),
      let inverse = pairing.destination.model.inverse(of: relationship)
    else { return own }
    return direct(.init(entity: inverse.entity.name, name: inverse.relationship.name)).map(\.reversed)
  }

  /// The storage for the rows of one pair; `nil` where the relationship starts empty.
  func storage(of property: StoreLayout.Property, for pair: EntityPairing.Pair) -> RelationshipStorage? {
    if let name = Self.sourceName(of: property.name, in: pair) {
      return RelationshipStorage(of: name, entity: pair.source, in: pairing.source)
    }
    guard direct(property).isEmpty else { return nil }
    return storages(of: property).first
  }

  private func direct(_ property: StoreLayout.Property) -> [RelationshipStorage] {
    var found: [RelationshipStorage] = []
    for pair in pairing.pairs(intoFamilyOf: property.entity) {
      guard let name = Self.sourceName(of: property.name, in: pair),
        let storage = RelationshipStorage(of: name, entity: pair.source, in: pairing.source),
        !found.contains(storage)
      else { continue }
      found.append(storage)
    }
    return found
  }

  private static func sourceName(of name: String, in pair: EntityPairing.Pair) -> String? {
    pair.mapping.relationshipMappings.first { $0.destinationName == name }?.sourceName
  }
}
