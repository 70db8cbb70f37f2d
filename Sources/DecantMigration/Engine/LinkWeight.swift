internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// About how many bytes relationships take beside the rows of their objects, by the layout of a store: keys, their
/// places, the entries of indexes, and join tables.
struct LinkWeight {
  /// An entity mapping with what it takes and makes.
  struct Share {
    let mapping: EntityMapping
    /// The rows that it takes.
    let rows: Double
    /// The objects that it makes.
    let objects: Double
  }

  let layout: StoreLayout

  /// Of a row, for each of its indexes by a key: an entry, though it were of no key.
  private static let bytesOfEntry = 12.0
  /// Of a row that has the key: the key in it and in its index.
  private static let bytesOfKey = 8.0
  /// Of a row that has a place among its siblings.
  private static let bytesOfPlace = 8.0
  /// Of a pair in a join table: the row, and an entry in each of two indexes.
  static let bytesOfPair = 52.0

  /// Of all objects that a store has, each linked.
  ///
  /// - Parameters:
  ///   - rows: By the name of the entity.
  ///   - pairs: Of a join table.
  func bytes(rows: [String: Double], pairs: (StoreLayout.JoinTable) throws(SQLiteError) -> Double)
    throws(SQLiteError) -> Double
  {
    var bytes = 0.0
    for table in layout.tables {
      let rows = all(table.rootEntity, rows)
      // The key itself counts with the row.
      bytes += Double(table.columns.count { $0.role.linked != nil }) * rows * Self.bytesOfEntry
    }
    for join in layout.joinTables { bytes += try pairs(join) * Self.bytesOfPair }
    return bytes
  }

  /// Of the objects that entity mappings make, by the entity that they count with.
  ///
  /// - Parameter pairs: How many objects a relationship that is mapped leads to in all.
  func bytes(made shares: [Share], pairs: (Share, RelationshipMapping.Value) throws(SQLiteError) -> Double)
    throws(SQLiteError) -> [String: Double]
  {
    var objects: [String: Double] = [:]
    for share in shares {
      if let entity = share.mapping.destinationEntityName { objects[entity, default: 0] += share.objects }
    }
    var bytes: [String: Double] = [:]
    for table in layout.tables {
      for column in table.columns {
        if let property = column.role.linked {
          let places = table.columns.contains { $0.role == .order(property) }
          bytes[property.entity, default: 0] +=
            all(table.rootEntity, objects) * Self.bytesOfEntry
            + linked(property, shares, objects) * (Self.bytesOfKey + (places ? Self.bytesOfPlace : 0))
        }
      }
    }
    for join in layout.joinTables {
      // Either end may lead to all of them.
      var most = 0.0
      for end in [join.first.relationship, join.second.relationship] {
        var led = 0.0
        for share in shares {
          if let value = value(of: end, in: share) { led += try pairs(share, value) }
        }
        most = max(most, led)
      }
      let places = [join.first.orderColumn, join.second.orderColumn].count { $0 != nil }
      bytes[join.second.relationship.entity, default: 0] +=
        most * (Self.bytesOfPair + Double(places) * Self.bytesOfPlace)
    }
    return bytes
  }

  /// The rows of an entity and of those below it.
  private func all(_ entity: String, _ rows: [String: Double]) -> Double {
    layout.model.family(of: entity).reduce(0) { $0 + (rows[$1.name] ?? 0) }
  }

  /// How many objects of those that have a key get one, from their own end or from the other.
  private func linked(_ property: StoreLayout.Property, _ shares: [Share], _ objects: [String: Double])
    -> Double
  {
    let all = all(property.entity, objects)
    guard let relationship = layout.model.relationship(property.name, of: property.entity) else { return all }
    if relationship.isToMany {
      // The key of an owner stands with its targets.
      let targets = self.all(relationship.destinationEntityName, objects)
      return shares.contains { value(of: property, in: $0) != nil } ? targets : 0
    }
    let own = shares.reduce(0) { value(of: property, in: $1) == nil ? $0 : $0 + $1.objects }
    guard let inverse = layout.model.inverse(of: relationship) else { return own }
    let end = StoreLayout.Property(entity: inverse.entity.name, name: inverse.relationship.name)
    let others = shares.filter { value(of: end, in: $0) != nil }
    guard !others.isEmpty else { return own }
    return inverse.relationship.isToMany ? all : max(own, min(all, others.reduce(0) { $0 + $1.objects }))
  }

  private func value(of property: StoreLayout.Property, in share: Share) -> RelationshipMapping.Value? {
    guard let entity = share.mapping.destinationEntityName, layout.model.isKind(entity, of: property.entity),
      let value = share.mapping.relationshipMappings.first(where: { $0.destinationName == property.name })?
        .value,
      value != .unset
    else { return nil }
    return value
  }
}

extension StoreLayout.Role {
  /// The relationship whose key a column holds.
  fileprivate var linked: StoreLayout.Property? {
    switch self {
    case .toOne(let property), .owner(let property): property
    default: nil
    }
  }
}

extension RelationshipMapping.Value {
  /// The keys of the path to source objects whose destination objects are taken; `nil` where none can be told.
  var sourcePath: [String]? {
    switch self {
    case .source(let name): [name]
    case .expression(let expression): (DestinationLookup(expression)?.sources ?? expression).sourceKeys
    case .unset: nil
    }
  }
}
