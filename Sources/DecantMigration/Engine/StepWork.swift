internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The work of an inferred step: tables, join tables, what the other end knows, order, orphans, derived values.
///
/// It follows from the two layouts and the mapping model alone, so that a resumed run finds the same list.
struct StepWork {
  private let pairing: EntityPairing
  private let origin: RelationshipOrigin

  init(_ pairing: EntityPairing) {
    self.pairing = pairing
    origin = RelationshipOrigin(pairing)
  }

  /// Everything up to the indexes.
  func list() -> [Work] {
    let tables = pairing.destination.tables
    return tables.compactMap(copy) + pairing.destination.joinTables.flatMap(copies)
      + tables.flatMap(lateFills) + tables.flatMap(numberings)
      + pairing.destination.joinTables.flatMap(numberings)
      + tables.flatMap(displaced) + tables.flatMap(orphans) + pairing.destination.joinTables.map(orphans)
      + tables.flatMap(derived)
  }

  /// The rows of a source table whose entities go into a destination table.
  private func copy(_ table: StoreLayout.Table) -> Work? {
    let pairs = pairing.pairs(intoFamilyOf: table.rootEntity)
    guard let first = pairs.first, let sourceTable = pairing.source.table(of: first.source) else { return nil }
    let expressions = ColumnExpressions(pairing, pairs: pairs, sourceTable: sourceTable)
    let filled = table.columns.compactMap { column in
      expressions.expression(for: column).map { (quoted(column.name), $0) }
    }
    let statement =
      "INSERT INTO main.\(quoted(table.name)) (\(filled.map(\.0).joined(separator: ", "))) "
      + "SELECT \(filled.map(\.1).joined(separator: ", ")) FROM source.\(quoted(sourceTable.name)) AS s "
      + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND s.Z_ENT IN "
      + "(\(pairs.map { String($0.sourceNumber) }.joined(separator: ", "))) ORDER BY s.Z_PK"
    return Work(
      pairs.map(\.mapping.name).joined(separator: "+"), stage: .create,
      extent: .chunks(table: sourceTable.name, key: "Z_PK"), statements: [statement])
  }

  /// The pairs of a many-to-many relationship, from wherever the source keeps them.
  private func copies(_ join: StoreLayout.JoinTable) -> [Work] {
    origin.storages(of: join.second.relationship).map { storage in
      var columns = [quoted(join.first.column), quoted(join.second.column)]
      var values = ["s." + quoted(storage.owner), "s." + quoted(storage.target)]
      if let column = join.second.orderColumn, let order = storage.order {
        columns.append(quoted(column))
        values.append("s." + quoted(order))
      }
      if let column = join.first.orderColumn, let order = storage.inverseOrder {
        columns.append(quoted(column))
        values.append("s." + quoted(order))
      }
      let statement =
        "INSERT OR IGNORE INTO main.\(quoted(join.name)) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM source.\(quoted(storage.table)) AS s "
        + "WHERE s.\(storage.key) > ?1 AND s.\(storage.key) <= ?2 AND s.\(quoted(storage.owner)) IS NOT NULL "
        + "AND s.\(quoted(storage.target)) IS NOT NULL"
      return Work(
        "\(join.second.relationship)", stage: .relate, extent: .chunks(table: storage.table, key: storage.key),
        statements: [statement])
    }
  }

  /// To-one ends of which the source knows only the other end, and keeps it in another table.
  ///
  /// Where several targets claim one place, that with the largest key has it, however the chunks are cut.
  private func lateFills(_ table: StoreLayout.Table) -> [Work] {
    table.columns.flatMap { column -> [Work] in
      guard let (property, storages) = late(column) else { return [] }
      return storages.map { storage in
        let target = "s.\(quoted(storage.target))"
        let place = storage.inverseOrder.map { "s.\(quoted($0))" } ?? "NULL"
        let statement =
          "UPDATE main.\(quoted(table.name)) SET \(sets(column, property, storage).joined(separator: ", ")) FROM "
          + "(SELECT s.\(quoted(storage.owner)) AS owner, max(\(target)) AS target, \(place) AS place "
          + "FROM source.\(quoted(storage.table)) AS s WHERE s.\(storage.key) > ?1 AND s.\(storage.key) <= ?2 "
          + "AND s.\(quoted(storage.owner)) IS NOT NULL AND \(exists(target, in: destination(of: column.role))) "
          + "GROUP BY 1) AS x "
          + "WHERE Z_PK = x.owner AND (\(quoted(column.name)) IS NULL OR \(quoted(column.name)) < x.target)"
        return Work(
          "\(property)", stage: .relate, extent: .chunks(table: storage.table, key: storage.key),
          statements: [statement])
      }
    }
  }

  /// The property of a column that is filled late, and where its pairs come from as the column's own rows see them.
  private func late(
    _ column: StoreLayout.Column
  ) -> (property: StoreLayout.Property, storages: [RelationshipStorage])? {
    switch column.role {
    case .toOne(let property): (property, origin.storages(of: property).filter { $0.kind != .owners })
    case .owner(let property):
      (property, origin.storages(of: property).map(\.reversed).filter { $0.kind != .owners })
    default: nil
    }
  }

  private func sets(
    _ column: StoreLayout.Column, _ property: StoreLayout.Property, _ storage: RelationshipStorage
  ) -> [String] {
    var sets = ["\(quoted(column.name)) = x.target"]
    guard case .toOne = column.role else { return sets }
    let layout = pairing.destination
    if let entity = layout.toOneEntityColumn(property.name, of: property.entity),
      let relationship = layout.model.relationship(property.name, of: property.entity),
      let target = layout.table(of: relationship.destinationEntityName)
    {
      sets.append(
        "\(quoted(entity)) = (SELECT t.Z_ENT FROM main.\(quoted(target.name)) AS t WHERE t.Z_PK = x.target)")
    }
    if let order = layout.orderColumn(property.name, of: property.entity), storage.inverseOrder != nil {
      sets.append("\(quoted(order)) = x.place")
    }
    return sets
  }

  /// What did not find a place in a column filled late: the other to-one end is cleared, pairs are counted.
  private func displaced(_ table: StoreLayout.Table) -> [Work] {
    table.columns.flatMap { column -> [Work] in
      guard let (property, storages) = late(column), !storages.isEmpty else { return [] }
      if let inverse = toOneInverse(of: property) { return [clearing(inverse, column, table)] }
      let (own, name) = ("d.\(quoted(column.name))", quoted(table.name))
      return storages.map { storage in
        Work(
          "\(property)", stage: .validate, statements: [],
          count: "SELECT count(*) FROM source.\(quoted(storage.table)) AS s JOIN main.\(name) AS d "
            + "ON d.Z_PK = s.\(quoted(storage.owner)) WHERE s.\(quoted(storage.target)) IS NOT NULL "
            + "AND \(own) IS NOT s.\(quoted(storage.target))"
        ) { count in
          "\(count) pairs of “\(property)” are left out: of several that led to one object only that with the largest key "
            + "is kept, and none that led to an object that isn't there."
        }
      }
    }
  }

  private typealias ToOneEnd = (property: StoreLayout.Property, table: String, column: StoreLayout.Column)

  private func toOneInverse(of property: StoreLayout.Property) -> ToOneEnd? {
    let layout = pairing.destination
    guard let relationship = layout.model.relationship(property.name, of: property.entity),
      !relationship.isToMany,
      let inverse = layout.model.inverse(of: relationship), !inverse.relationship.isToMany,
      let table = layout.table(of: inverse.entity.name)
    else { return nil }
    let other = StoreLayout.Property(entity: inverse.entity.name, name: inverse.relationship.name)
    return table.columns.first { $0.role == .toOne(other) }.map { (other, table.name, $0) }
  }

  private func clearing(_ end: ToOneEnd, _ column: StoreLayout.Column, _ table: StoreLayout.Table) -> Work {
    let cleared = ([end.column.name] + companions(of: end.column.role)).map { "\(quoted($0)) = NULL" }
    let own = "main.\(quoted(end.table))"
    return Work(
      "\(end.property)", stage: .validate,
      statements: [
        "UPDATE \(own) SET \(cleared.joined(separator: ", ")) WHERE \(quoted(end.column.name)) IS NOT NULL AND EXISTS "
          + "(SELECT 1 FROM main.\(quoted(table.name)) AS t WHERE t.Z_PK = \(own).\(quoted(end.column.name)) "
          + "AND t.\(quoted(column.name)) IS NOT NULL AND t.\(quoted(column.name)) <> \(own).Z_PK)"
      ]
    ) { count in
      "\(count) objects shared their “\(end.property)” with another one, and only one can have it now; theirs is nil."
    }
  }

  /// Ordering keys of relationships that are ordered now: 2048 + 1024 n in the order of the keys (7, “Ordering keys”).
  private func numberings(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      guard case .order(let property) = column.role,
        let key = pairing.destination.toOneColumn(property.name, of: property.entity)
      else { return nil }
      return numbering(table.name, owner: key, order: column.name, by: "Z_PK", name: "\(property)")
    }
  }

  private func numberings(_ join: StoreLayout.JoinTable) -> [Work] {
    [(join.second, join.first), (join.first, join.second)].compactMap { own, other in
      guard let order = own.orderColumn else { return nil }
      return numbering(
        join.name, owner: other.column, order: order, by: own.column, name: "\(own.relationship)")
    }
  }

  private func numbering(_ table: String, owner: String, order: String, by key: String, name: String) -> Work {
    Work(
      name, stage: .relate,
      statements: [
        "UPDATE main.\(quoted(table)) SET \(quoted(order)) = x.place FROM (SELECT rowid AS row, "
          + "2048 + 1024 * (row_number() OVER (PARTITION BY \(quoted(owner)) ORDER BY \(quoted(key))) - 1) AS place "
          + "FROM main.\(quoted(table)) WHERE \(quoted(owner)) IS NOT NULL AND \(quoted(order)) IS NULL) AS x "
          + "WHERE main.\(quoted(table)).rowid = x.row"
      ])
  }

  /// To-one references whose target isn't in the destination are taken away, and told.
  private func orphans(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      let property: StoreLayout.Property
      switch column.role {
      case .toOne(let toOne): property = toOne
      case .owner(let owner): property = owner
      default: return nil
      }
      let key = "main.\(quoted(table.name)).\(quoted(column.name))"
      let cleared = ([column.name] + companions(of: column.role)).map { "\(quoted($0)) = NULL" }
      return Work(
        "\(property)", stage: .validate,
        statements: [
          "UPDATE main.\(quoted(table.name)) SET \(cleared.joined(separator: ", ")) WHERE \(quoted(column.name)) "
            + "IS NOT NULL AND NOT \(exists(key, in: destination(of: column.role)))"
        ],
        finding: { count in
          "\(count) objects had a relationship “\(property)” to an object that isn't there; it is nil now."
        })
    }
  }

  private func companions(of role: StoreLayout.Role) -> [String] {
    guard case .toOne(let property) = role else { return [] }
    return [
      pairing.destination.toOneEntityColumn(property.name, of: property.entity),
      pairing.destination.orderColumn(property.name, of: property.entity),
    ].compactMap { $0 }
  }

  private func orphans(_ join: StoreLayout.JoinTable) -> Work {
    let ends = [join.first, join.second].map { end -> String in
      let relationship = pairing.destination.model.relationship(
        end.relationship.name, of: end.relationship.entity)
      return exists(
        "main.\(quoted(join.name)).\(quoted(end.column))", in: relationship?.destinationEntityName ?? "")
    }
    let name = "\(join.second.relationship)"
    return Work(
      name, stage: .validate,
      statements: ["DELETE FROM main.\(quoted(join.name)) WHERE NOT (\(ends.joined(separator: " AND ")))"],
      finding: { count in "\(count) pairs of “\(name)” led to an object that isn't there; they are left out." })
  }

  /// The entity to which the keys in a column lead.
  private func destination(of role: StoreLayout.Role) -> String {
    switch role {
    case .toOne(let property):
      pairing.destination.model.relationship(property.name, of: property.entity)?.destinationEntityName ?? ""
    case .owner(let property): property.entity
    default: ""
    }
  }

  private func exists(_ key: String, in entity: String) -> String {
    let layout = pairing.destination
    guard let target = layout.table(of: entity) else { return "0" }
    let numbers = layout.entityNumbers(inFamilyOf: entity).map(String.init).joined(separator: ", ")
    return
      "EXISTS (SELECT 1 FROM main.\(quoted(target.name)) AS t WHERE t.Z_PK = \(key) AND t.Z_ENT IN (\(numbers)))"
  }

  /// Derived counts are computed anew; a `now()` attribute that is new gets the time of the run from its caller.
  private func derived(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      guard case .attribute(let property) = column.role,
        let attribute = pairing.destination.model.attribute(property.name, of: property.entity),
        let expression = attribute.derivationExpression,
        case .count(let child, let key) = DerivationKind(
          expression, entity: property.entity, layout: pairing.destination)
      else { return nil }
      let numbers = pairing.destination.entityNumbers(inFamilyOf: property.entity).map(String.init)
      return Work(
        "\(property)", stage: .validate,
        statements: [
          "CREATE TEMP TABLE counts AS SELECT \(quoted(key)) AS owner, count(*) AS number "
            + "FROM main.\(quoted(child)) WHERE \(quoted(key)) IS NOT NULL GROUP BY 1",
          "UPDATE main.\(quoted(table.name)) SET \(quoted(column.name)) = 0 "
            + "WHERE Z_ENT IN (\(numbers.joined(separator: ", ")))",
          "UPDATE main.\(quoted(table.name)) SET \(quoted(column.name)) = counts.number FROM temp.counts "
            + "WHERE Z_PK = counts.owner",
          "DROP TABLE temp.counts",
        ])
    }
  }
}
