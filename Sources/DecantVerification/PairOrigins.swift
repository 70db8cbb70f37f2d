internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// A storage in the source whose pairs a destination relationship continues.
struct PairOrigin: Hashable {
  /// The objects at one end: their tables in both stores, and the source entity numbers of the objects that are kept.
  package struct End: Hashable {
    let table: String
    /// The objects' table in the destination.
    let destinationTable: String
    var numbers: Set<Int>
  }

  let storage: RelationshipStorage
  var owners: End
  var targets: End
  /// Whether the pairs only fill free places, because another origin is the leading end of a union
  /// (`RelationshipOrigin.Union`).
  var isSecond = false

  /// SQL, from `FROM` on, for the source rows `s` whose pair is kept: both objects exist and are kept.
  var living: String {
    func exists(_ end: End, _ column: String) -> String {
      "EXISTS (SELECT 1 FROM source.\(quoted(end.table)) AS e WHERE e.Z_PK = s.\(quoted(column)) "
        + "AND e.Z_ENT IN \(end.numbers.list))"
    }
    return
      "FROM source.\(quoted(storage.table)) AS s WHERE s.\(quoted(storage.owner)) IS NOT NULL "
      + "AND s.\(quoted(storage.target)) IS NOT NULL AND \(exists(owners, storage.owner)) "
      + "AND \(exists(targets, storage.target))"
  }

  /// A further condition: both objects are in the destination, because lost rows are reported separately.
  var inDestination: String {
    func exists(_ end: End, _ column: String) -> String {
      " AND EXISTS (SELECT 1 FROM main.\(quoted(end.destinationTable)) AS n WHERE n.Z_PK = s.\(quoted(column)))"
    }
    return exists(owners, storage.owner) + exists(targets, storage.target)
  }

  var reversed: PairOrigin {
    PairOrigin(storage: storage.reversed, owners: targets, targets: owners, isSecond: isSecond)
  }
}

/// All storages in the source (`PairOrigin`) whose pairs a relationship continues.
///
/// There is usually one storage. A new relationship has none.
struct PairOrigins {
  let list: [PairOrigin]
  /// The source tables of owners and targets; `nil` without origins.
  var ends: (owners: String, targets: String)? { list.first.map { ($0.owners.table, $0.targets.table) } }

  /// Uses the relationship's own origins.
  ///
  /// If there are none, the origins of its inverse are used, because setting one end sets the other. For a union, the
  /// origins of both ends are used.
  init(of property: StoreLayout.Property, stores: StorePair) {
    let model = stores.lineage.destination
    var own = Self.direct(property, stores)
    let inverse = model.inverse(of: property)
    if own.isEmpty, let inverse {
      list = Self.direct(inverse, stores).map(\.reversed)
      return
    }
    guard let union = stores.lineage.union(property) else {
      list = own
      return
    }
    var others = inverse.map { Self.direct($0, stores).map(\.reversed) } ?? []
    if others.isEmpty, let ends = own.first,
      let storage = RelationshipStorage(
        of: union.other.name, entity: union.other.entity, in: stores.sourceLayout)
    {
      // A later step removed the inverse, so only the union names the source relationship of the other end.
      others = [PairOrigin(storage: storage.reversed, owners: ends.owners, targets: ends.targets)]
    }
    let leads = RelationshipOrigin.leads(
      union.one, isToMany: union.isToMany, over: union.two, isToMany: union.otherIsToMany)
    // If both ends are to-many, all pairs fit.
    if !(union.isToMany && union.otherIsToMany) {
      for index in own.indices { own[index].isSecond = !leads }
      for index in others.indices { others[index].isSecond = leads }
    }
    list = leads ? own + others : others + own
  }

  private static func direct(_ property: StoreLayout.Property, _ stores: StorePair) -> [PairOrigin] {
    let (model, layout) = (stores.lineage.source, stores.sourceLayout)
    guard let relationship = stores.lineage.destination.relationship(property.name, of: property.entity) else {
      return []
    }
    let targets = stores.pairs(into: relationship.destinationEntityName)
    var found: [PairOrigin] = []
    for pair in stores.pairs(into: property.entity) {
      guard let name = stores.lineage.relationship(property.name, of: pair.destination),
        let storage = RelationshipStorage(of: name, entity: pair.source, in: layout),
        let former = model.relationship(name, of: pair.source),
        let ownerTable = layout.table(of: pair.source)?.name,
        let targetTable = layout.table(of: former.destinationEntityName)?.name,
        let newOwnerTable = stores.destinationLayout.table(of: pair.destination)?.name,
        let newTargetTable = stores.destinationLayout.table(of: relationship.destinationEntityName)?.name
      else { continue }
      let number = stores.sourceNumber(pair.source)
      if let index = found.firstIndex(where: {
        $0.storage == storage && $0.owners.destinationTable == newOwnerTable
      }) {
        found[index].owners.numbers.insert(number)
        continue
      }
      found.append(
        PairOrigin(
          storage: storage,
          owners: .init(table: ownerTable, destinationTable: newOwnerTable, numbers: [number]),
          targets: .init(
            table: targetTable, destinationTable: newTargetTable,
            numbers: Set(targets.map { stores.sourceNumber($0.source) }))))
    }
    return found
  }
}
