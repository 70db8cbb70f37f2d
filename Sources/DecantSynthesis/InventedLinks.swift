internal import DecantModel
internal import DecantStore

/// Invents the links of every to-one column of a layout.
struct InventedLinks {
  let layout: StoreLayout
  /// The populations by root entity.
  let populations: [String: Population]
  let seed: UInt64

  /// The objects of an entity: the population of the entity's root entity, and the objects' numbers in this population.
  struct Members {
    let root: String
    let population: Population
    let range: Range<Int>
  }

  func members(_ entity: String) -> Members? {
    guard let root = layout.model.root(of: entity)?.name, let population = populations[root] else { return nil }
    return Members(root: root, population: population, range: population.range(of: entity))
  }

  /// The objects that belong to both entities; if neither entity inherits from the other, the objects of the first one.
  func members(_ entity: String, alsoOf other: String) -> Members? {
    guard let one = members(entity), let two = members(other), one.root == two.root,
      layout.model.isKind(other, of: entity)
    else { return members(entity) }
    return two
  }

  /// The links of a to-one relationship, with the population of its targets.
  func links(_ property: StoreLayout.Property) -> (links: ToOneLinks, targets: Population)? {
    guard let relationship = layout.model.relationship(property.name, of: property.entity) else { return nil }
    let inverse = layout.model.inverse(of: relationship)
    let destination = relationship.destinationEntityName
    guard
      let sources = members(property.entity, alsoOf: inverse?.relationship.destinationEntityName ?? ""),
      let targets = members(destination, alsoOf: inverse?.entity.name ?? "")
    else { return nil }
    let other = inverse.map { StoreLayout.Property(entity: $0.entity.name, name: $0.relationship.name) }
    let isOneFamily = sources.root == targets.root
    let isSame = isOneFamily && sources.range == targets.range
    let shape = shape(of: property, inverse: inverse?.relationship, other: other, isSame: isSame)
    let isPair = inverse.map { !$0.relationship.isToMany } ?? false
    let names = [property.description, isPair ? other?.description ?? "" : ""].sorted(by: NameOrder.codePoints)
    let links = ToOneLinks(
      shape, from: sources.range, to: targets.range, isOneFamily: isOneFamily,
      isOptional: relationship.isOptional && (!isPair || inverse?.relationship.isOptional ?? true),
      minimum: minimum(inverse?.relationship), seed: SplitMix64.seed(seed, names.joined(separator: "|")))
    return (links, targets.population)
  }

  /// The links of a to-many relationship without inverse, stored at its targets, with the population of the owners.
  func ownerLinks(_ property: StoreLayout.Property) -> (links: ToOneLinks, targets: Population)? {
    guard let relationship = layout.model.relationship(property.name, of: property.entity),
      let owners = members(property.entity), let children = members(relationship.destinationEntityName)
    else { return nil }
    let shape = shape(
      ownedBy: relationship, isSame: owners.root == children.root && owners.range == children.range)
    let links = ToOneLinks(
      shape, from: children.range, to: owners.range, isOneFamily: owners.root == children.root,
      isOptional: true, minimum: minimum(relationship), seed: SplitMix64.seed(seed, property.description))
    return (links, owners.population)
  }

  private func shape(
    of property: StoreLayout.Property, inverse: Relationship?, other: StoreLayout.Property?, isSame: Bool
  ) -> ToOneLinks.Shape {
    guard let inverse, let other else { return .free }
    if inverse.isToMany { return shape(ownedBy: inverse, isSame: isSame) }
    if other == property { return .mates }
    return .pairs(isFirst: NameOrder.codePoints(property.description, other.description))
  }

  private func shape(ownedBy toMany: Relationship, isSame: Bool) -> ToOneLinks.Shape {
    let limit = toMany.maximumCount > 1 ? min(toMany.maximumCount, Int(Int32.max)) : nil
    if isSame {
      return minimum(toMany) > 0 ? .ring : limit.map { .tree(fan: $0) } ?? .skewed
    }
    return minimum(toMany) > 0 || limit != nil ? .even(limit: limit) : .skewed
  }

  /// The smallest number of targets of a to-many relationship.
  ///
  /// It is 0 if the relationship is optional and its minimum is at most 1, and for any other kind of relationship.
  private func minimum(_ toMany: Relationship?) -> Int {
    guard let toMany, toMany.isToMany else { return 0 }
    let bounded = min(max(0, toMany.minimumCount), 1_000_000)
    return toMany.isOptional ? (bounded > 1 ? bounded : 0) : max(1, bounded)
  }
}
