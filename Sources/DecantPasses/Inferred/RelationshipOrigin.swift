internal import DecantMapping
internal import DecantModel
package import DecantStore

/// Finds the source relationships whose pairs a destination relationship gets, and the storages of these pairs.
///
/// The relationship's own mapping or its inverse's mapping names the source relationship, because setting one end sets
/// the other end (docs/mapping-models.md, “How they run”).
package struct RelationshipOrigin {
  let pairing: EntityPairing

  package init(_ pairing: EntityPairing) {
    self.pairing = pairing
  }

  /// A source relationship whose pairs are copied.
  ///
  /// `isReversed` is true if its owners are the targets of the destination relationship. This is so if the inverse's
  /// mapping names the source relationship.
  package struct End: Hashable {
    package let entity: String
    package let name: String
    package var isReversed = false
  }

  /// The source relationships that a relationship continues, by its own mapping or its inverse's.
  ///
  /// For a union (`Union`), these are the relationships of the leading end.
  func ends(of property: StoreLayout.Property) -> [End] {
    if let union = union(of: property) { return union.first }
    let own = ownEnds(property)
    guard own.isEmpty, let inverse = pairing.destination.model.inverse(of: property) else { return own }
    return ownEnds(inverse).map {
      End(entity: $0.entity, name: $0.name, isReversed: true)
    }
  }

  /// The source relationships by the relationship's own mapping.
  func ownEnds(_ property: StoreLayout.Property) -> [End] {
    pairing.pairs(intoFamilyOf: property.entity).compactMap { pair in
      guard let name = pair.mapping.sourceRelationship(of: property.name),
        RelationshipStorage(of: name, entity: pair.source, in: pairing.source) != nil
      else { return nil }
      return End(entity: pair.source, name: name)
    }
  }

  /// The storages whose pairs a relationship continues, seen from the relationship's own end; usually one.
  ///
  /// For a union, these are the storages of the leading end. `unionStorages` has the others.
  func storages(of property: StoreLayout.Property) -> [RelationshipStorage] {
    storages(ends(of: property))
  }

  /// The storages whose pairs fill the places that a union's leading end leaves free; empty if there is no union.
  func unionStorages(of property: StoreLayout.Property) -> [RelationshipStorage] {
    union(of: property).map { storages($0.second) } ?? []
  }

  package func allStorages(of property: StoreLayout.Property) -> [RelationshipStorage] {
    storages(of: property) + unionStorages(of: property)
  }

  private func storages(_ ends: [End]) -> [RelationshipStorage] {
    var found: [RelationshipStorage] = []
    for end in ends {
      if let storage = storage(of: end), !found.contains(storage) { found.append(storage) }
    }
    return found
  }

  /// The storage of an end's pairs, seen from the relationship that continues it.
  func storage(of end: End) -> RelationshipStorage? {
    let storage = RelationshipStorage(of: end.name, entity: end.entity, in: pairing.source)
    return end.isReversed ? storage?.reversed : storage
  }

  /// The storage from which the rows of one entity mapping take the pairs of a relationship.
  func storage(of property: StoreLayout.Property, for pair: EntityPairing.Pair) -> RelationshipStorage? {
    if let union = union(of: property), !union.isLed {
      return storages(of: property).first
    }
    if let name = pair.mapping.sourceRelationship(of: property.name) {
      return RelationshipStorage(of: name, entity: pair.source, in: pairing.source)
    }
    guard ownEnds(property).isEmpty else { return nil }
    return storages(of: property).first
  }
}
