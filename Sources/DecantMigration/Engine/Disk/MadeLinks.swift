internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// Estimates a step's relationships: which objects get a key, and how many pairs are written to join tables.
struct MadeLinks {
  /// An entity mapping with its rows and objects.
  struct Share {
    let mapping: EntityMapping
    /// The number of rows that it takes.
    let rows: Double
    /// The number of objects that it makes.
    let objects: Double
    /// The relationships that it writes together with its objects.
    let direct: Set<String>
  }

  let source: StoreLayout
  let former: StoreWeight
  let destination: StoreLayout
  let shares: [Share]

  private static let bytesOfKey = 4.0
  /// The bytes of a link in a chunk's temporary files: the old and the new value.
  private static let bytesOfSetting = 90.0
  /// The largest size of a chunk's temporary files; a chunk's duration is limited, and so is this size.
  private static let mostOfSetting = 24.0 * 1_048_576

  /// Adds the relationships to the objects.
  ///
  /// - Returns: The bytes needed in addition while the relationships are set.
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
      // Each of the two ends may lead to all of the pairs.
      let ends = [join.first.relationship, join.second.relationship].map { end in
        shares.reduce(0.0) { sum, share in sum + (value(of: end, in: share).map { pairs(of: share, $0) } ?? 0) }
      }
      made.pairs[join.name] = ends.max()
      if isSetLater(join.first.relationship) { most = max(most, ends.max() ?? 0) }
    }
    return min(Self.mostOfSetting, most * Self.bytesOfSetting)
  }

  /// Whether a relationship, or its inverse, is set after the objects have been made.
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

  /// The number of objects with a key in their row, set from this end or from the other one.
  private func linked(_ property: StoreLayout.Property) -> Double {
    guard let relationship = destination.model.relationship(property.name, of: property.entity) else {
      return 0
    }
    if relationship.isToMany {
      // The owner's key is stored in its targets' rows.
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

  /// The number of objects made of an entity and its subentities.
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

  /// The number of objects that a relationship leads to from an entity mapping's rows.
  ///
  /// It is the product of the averages for each key of the path.
  private func pairs(of share: Share, _ value: RelationshipMapping.Value) -> Double {
    var pairs = share.rows
    var entity = share.mapping.sourceEntityName ?? ""
    for key in value.sourcePath ?? [] {
      guard let relationship = source.model.relationship(key, of: entity) else { break }
      if relationship.isToMany { pairs *= targets(of: key, relationship, entity) / max(1, rows(of: entity)) }
      entity = relationship.destinationEntityName
      // Several paths may lead to the same objects.
      pairs = min(pairs, share.rows * max(1, rows(of: entity)))
    }
    return pairs
  }

  /// The total number of targets of a to-many relationship in the source.
  private func targets(of key: String, _ relationship: Relationship, _ entity: String) -> Double {
    source.joinTable(key, of: entity).map { former.pairs[$0.table.name] ?? 0 }
      ?? rows(of: relationship.destinationEntityName)
  }

  /// The number of rows of an entity and its subentities.
  private func rows(of entity: String) -> Double {
    source.model.family(of: entity).reduce(0) { $0 + (former.entities[$1.name]?.rows ?? 0) }
  }
}

extension RelationshipMapping.Value {
  /// The path to the source objects whose destination objects become targets; `nil` if it isn't known.
  fileprivate var sourcePath: [String]? {
    switch self {
    case .source(let name): [name]
    case .expression(let expression): (DestinationLookup(expression)?.sources ?? expression).sourceKeys
    case .unset: nil
    }
  }
}
