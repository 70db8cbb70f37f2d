internal import DecantModel
package import DecantStore

extension RelationshipOrigin {
  /// Two source relationships without inverse that become the two ends of one relationship.
  ///
  /// One of the two ends is the leading end. The pairs of the other end fill the places that the leading end leaves
  /// free. Both ends are seen from the property for which `union(of:)` was called.
  package struct Union {
    /// The source relationships of the leading end.
    package let first: [End]
    /// The source relationships of the other end.
    package let second: [End]
    /// Whether the property for which `union(of:)` was called is the leading end.
    let isLed: Bool
  }

  /// - Returns: `nil` if the two ends don't continue two separate source relationships without inverse.
  package func union(of property: StoreLayout.Property) -> Union? {
    let model = pairing.destination.model
    guard let relationship = model.relationship(property.name, of: property.entity),
      let other = model.inverse(of: property), let inverse = model.relationship(other.name, of: other.entity)
    else { return nil }
    let (own, others) = (ownEnds(property), ownEnds(other))
    guard !own.isEmpty, !others.isEmpty,
      (own + others).allSatisfy({ pairing.source.model.hasOpenRelationship($0.name, of: $0.entity) }),
      Set(own.map(formerPlace)).isDisjoint(with: others.map(formerPlace))
    else { return nil }
    let reversed = others.map { End(entity: $0.entity, name: $0.name, isReversed: true) }
    let isLed = Self.leads(
      model.topmost(property), isToMany: relationship.isToMany, over: model.topmost(other),
      isToMany: inverse.isToMany)
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

  private func formerPlace(_ end: End) -> StoreLayout.Property {
    pairing.source.model.topmost(.init(entity: end.entity, name: end.name))
  }
}
