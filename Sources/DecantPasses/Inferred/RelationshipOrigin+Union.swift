package import DecantModel
package import DecantStore

extension RelationshipOrigin {
  /// Two source relationships without inverse that become the two ends of one relationship.
  ///
  /// Both sets of pairs are copied, seen from the given property.
  ///
  /// The pairs of the leading end are all kept. The pairs of the other end fill the free places. A to-one end leads
  /// over a to-many end. Of two to-one ends, the one whose entity, then whose name, comes first by code points leads.
  /// If both ends are to-many, all pairs are kept.
  package struct Union {
    package let first: [End]
    package let second: [End]
    /// Whether the given property is the leading end.
    let isLed: Bool
  }

  /// The union for a relationship; `nil` if the relationship continues one source relationship, or none.
  package func union(of property: StoreLayout.Property) -> Union? {
    let model = pairing.destination.model
    guard let relationship = model.relationship(property.name, of: property.entity),
      let inverse = model.inverse(of: relationship)
    else { return nil }
    let other = StoreLayout.Property(entity: inverse.entity.name, name: inverse.relationship.name)
    let (own, others) = (ownEnds(property), ownEnds(other))
    guard !own.isEmpty, !others.isEmpty, (own + others).allSatisfy(hasNoInverse),
      Set(own.map(formerPlace)).isDisjoint(with: others.map(formerPlace))
    else { return nil }
    let reversed = others.map { End(entity: $0.entity, name: $0.name, isReversed: true) }
    let isLed = Self.leads(
      Self.declared(property, in: model), isToMany: relationship.isToMany,
      over: Self.declared(other, in: model),
      isToMany: inverse.relationship.isToMany)
    return isLed
      ? Union(first: own, second: reversed, isLed: true) : Union(first: reversed, second: own, isLed: false)
  }

  /// The rule that selects the leading end.
  package static func leads(
    _ property: StoreLayout.Property, isToMany: Bool, over other: StoreLayout.Property,
    isToMany otherIsToMany: Bool
  ) -> Bool {
    guard isToMany == otherIsToMany else { return !isToMany }
    return property.entity == other.entity
      ? NameOrder.codePoints(property.name, other.name) : NameOrder.codePoints(property.entity, other.entity)
  }

  private func hasNoInverse(_ end: End) -> Bool {
    let model = pairing.source.model
    return model.relationship(end.name, of: end.entity).map { model.inverse(of: $0) == nil } ?? false
  }

  private func formerPlace(_ end: End) -> StoreLayout.Property {
    Self.declared(.init(entity: end.entity, name: end.name), in: pairing.source.model)
  }

  /// The end with the topmost entity that has it: a child that repeats a relationship shares the parent's column.
  package static func declared(
    _ property: StoreLayout.Property, in model: ManagedObjectModel
  ) -> StoreLayout.Property {
    let entity = model.chain(of: property.entity).last { entity in
      entity.relationships.contains { $0.name == property.name }
    }
    return .init(entity: entity?.name ?? property.entity, name: property.name)
  }
}
