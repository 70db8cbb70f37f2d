internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The relationships that a step makes: which objects get a key, and how many pairs go into join tables.
struct MadeLinks {
  /// An entity mapping with what it takes and makes.
  struct Share {
    let mapping: EntityMapping
    /// The rows that it takes.
    let rows: Double
    /// The objects that it makes.
    let objects: Double
    /// The relationships that it writes with its objects.
    let direct: Set<String>
  }

  let source: StoreLayout
  let former: StoreWeight
  let destination: StoreLayout
  let shares: [Share]

  private static let bytesOfKey = 4.0
  /// Of a link while it is set, in the temporary files of a chunk: what there was, and what is to be.
  private static let bytesOfSetting = 90.0
  /// What a chunk sets at most, in bytes of these files: it is cut by time.
  private static let mostOfSetting = 24.0 * 1_048_576

  /// Adds them to the objects.
  ///
  /// - Returns: The bytes that they take besides while they are set.
  func add(to made: inout StoreWeight) -> Double {
    var most = 0.0
    for table in destination.tables {
      for column in table.columns {
        switch column.role {
        case .toOne(let property), .owner(let property), .order(let property), .toOneEntity(let property):
          let links = linked(property)
          guard links > 0 else { continue }
          if isSetLater(property) { most = max(most, links) }
          // All rows of the table count together.
          made.entities[table.rootEntity, default: EntityWeight()].columns[column.name, default: 0] +=
            links * Self.bytesOfKey
        case .key, .entity, .saves, .attribute: break
        }
      }
    }
    for join in destination.joinTables {
      // Either end may lead to all of them.
      let ends = [join.first.relationship, join.second.relationship].map { end in
        shares.reduce(0.0) { sum, share in sum + (value(of: end, in: share).map { pairs(of: share, $0) } ?? 0) }
      }
      made.pairs[join.name] = ends.max()
      if isSetLater(join.first.relationship) { most = max(most, ends.max() ?? 0) }
    }
    return min(Self.mostOfSetting, most * Self.bytesOfSetting)
  }

  /// Whether a relationship, or its inverse, is set after the objects are there.
  private func isSetLater(_ property: StoreLayout.Property) -> Bool {
    let inverse = destination.model.relationship(property.name, of: property.entity)
      .flatMap(destination.model.inverse)
    let ends =
      [property]
      + [inverse.map { .init(entity: $0.entity.name, name: $0.relationship.name) }].compactMap(\.self)
    return shares.contains { share in
      ends.contains { value(of: $0, in: share) != nil && !share.direct.contains($0.name) }
    }
  }

  /// How many objects of those that have a key get one, from their own end or from the other.
  private func linked(_ property: StoreLayout.Property) -> Double {
    guard let relationship = destination.model.relationship(property.name, of: property.entity) else {
      return 0
    }
    if relationship.isToMany {
      // The key of an owner stands with its targets.
      let targets = objects(of: relationship.destinationEntityName)
      return shares.contains { value(of: property, in: $0) != nil } ? targets : 0
    }
    let own = shares.reduce(0) { value(of: property, in: $1) == nil ? $0 : $0 + $1.objects }
    guard let inverse = destination.model.inverse(of: relationship) else { return own }
    let end = StoreLayout.Property(entity: inverse.entity.name, name: inverse.relationship.name)
    let others = shares.filter { value(of: end, in: $0) != nil }
    guard !others.isEmpty else { return own }
    let all = objects(of: property.entity)
    return inverse.relationship.isToMany ? all : max(own, min(all, others.reduce(0) { $0 + $1.objects }))
  }

  /// The objects made of an entity and of those below it.
  private func objects(of entity: String) -> Double {
    shares.reduce(0) { sum, share in
      destination.model.isKind(share.mapping.destinationEntityName ?? "", of: entity)
        ? sum + share.objects : sum
    }
  }

  private func value(of property: StoreLayout.Property, in share: Share) -> RelationshipMapping.Value? {
    guard let entity = share.mapping.destinationEntityName,
      destination.model.isKind(entity, of: property.entity),
      let value = share.mapping.relationshipMappings.first(where: { $0.destinationName == property.name })?
        .value,
      value != .unset
    else { return nil }
    return value
  }

  /// How many objects a relationship leads to from the rows that an entity mapping takes: the average of each key of
  /// its path, multiplied.
  private func pairs(of share: Share, _ value: RelationshipMapping.Value) -> Double {
    var pairs = share.rows
    var entity = share.mapping.sourceEntityName ?? ""
    for key in value.sourcePath ?? [] {
      guard let relationship = source.model.relationship(key, of: entity) else { break }
      if relationship.isToMany { pairs *= targets(of: key, relationship, entity) / max(1, rows(of: entity)) }
      entity = relationship.destinationEntityName
      // The same ones may be come to in several ways.
      pairs = min(pairs, share.rows * max(1, rows(of: entity)))
    }
    return pairs
  }

  /// How many objects a to-many relationship of the source leads to in all.
  private func targets(of key: String, _ relationship: Relationship, _ entity: String) -> Double {
    source.joinTable(key, of: entity).map { former.pairs[$0.table.name] ?? 0 }
      ?? rows(of: relationship.destinationEntityName)
  }

  /// The rows of an entity and of those below it.
  private func rows(of entity: String) -> Double {
    source.model.family(of: entity).reduce(0) { $0 + (former.entities[$1.name]?.rows ?? 0) }
  }
}

extension RelationshipMapping.Value {
  /// The keys of the path to source objects whose destination objects are taken; `nil` where none can be told.
  fileprivate var sourcePath: [String]? {
    switch self {
    case .source(let name): [name]
    case .expression(let expression): (DestinationLookup(expression)?.sources ?? expression).sourceKeys
    case .unset: nil
    }
  }
}
