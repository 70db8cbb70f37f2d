internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantSQLite
package import DecantStore

/// Counts of objects and values in a store.
package struct StoreCounts: Sendable {
  let store: SourceStore
  let layout: StoreLayout

  package init(store: SourceStore, layout: StoreLayout) {
    self.store = store
    self.layout = layout
  }

  /// The number of objects of an entity, without subentities.
  func rows(of entity: String) throws(MigrationFailure) -> Int {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else { return 0 }
    return try counts(of: table).byNumber[number] ?? 0
  }

  private func counts(of table: StoreLayout.Table) throws(MigrationFailure) -> SourceRowCounts {
    do {
      return try store.rowCounts(of: table.name, numbers: layout.entityNumbers(inFamilyOf: table.rootEntity))
    } catch {
      throw MigrationFailure(store.judged(error))
    }
  }

  /// The number of an entity's objects that have fewer than `wanted` different targets in all given storages together.
  func rows(
    of entity: String, withFewerThan wanted: Int, in storages: [RelationshipStorage]
  ) throws(MigrationFailure) -> Int {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else { return 0 }
    let pairs = storages.map { storage in
      "SELECT s.\(quoted(storage.target)) FROM \(quoted(storage.table)) AS s "
        + "WHERE s.\(quoted(storage.owner)) = o.Z_PK AND s.\(quoted(storage.target)) IS NOT NULL"
    }
    return try count(
      "SELECT count(*) FROM \(quoted(table.name)) AS o WHERE o.Z_ENT = \(number) AND (SELECT count(*) FROM "
        + "(\(pairs.joined(separator: " UNION ")) LIMIT \(wanted))) < \(wanted)")
  }

  /// The number of rows in the tables of all entities.
  func total() throws(MigrationFailure) -> Int {
    var total = 0
    for table in layout.tables {
      do { total += try store.rows(in: table.name) } catch { throw MigrationFailure(store.judged(error)) }
    }
    return total
  }

  func values(of attribute: String, entities: [String]) throws(MigrationFailure) -> Int {
    var total = 0
    for entity in entities {
      guard let table = layout.table(of: entity), let column = layout.attributeColumn(attribute, of: entity),
        let number = layout.entityNumbers[entity]
      else { continue }
      total += try count("SELECT count(\(quoted(column))) FROM \(quoted(table.name)) WHERE Z_ENT = \(number)")
    }
    return total
  }

  /// The values of an attribute in the objects of one entity.
  struct Values: Hashable {
    let attribute: String
    let entity: String
  }

  /// The numbers of values that aren't nil; one statement counts up to `mostColumns` columns of a table.
  func numbers(of wanted: [Values]) throws(MigrationFailure) -> [Values: Int] {
    var columns: [String: [(values: Values, count: String)]] = [:]
    for values in Set(wanted) {
      guard let table = layout.table(of: values.entity), let number = layout.entityNumbers[values.entity],
        let column = layout.attributeColumn(values.attribute, of: values.entity)
      else { continue }
      columns[table.name, default: []].append(
        (values, "count(CASE WHEN Z_ENT = \(number) THEN \(quoted(column)) END)"))
    }
    var numbers: [Values: Int] = [:]
    for (table, all) in columns {
      for start in stride(from: 0, to: all.count, by: Self.mostColumns) {
        let part = all[start..<min(start + Self.mostColumns, all.count)]
        let rows: [[SQLiteValue]]
        do throws(StoreError) {
          rows = try store.rows("SELECT \(part.map(\.count).joined(separator: ", ")) FROM \(quoted(table))")
        } catch {
          throw MigrationFailure(error)
        }
        for (item, number) in zip(part, rows.first ?? []) {
          numbers[item.values] = number.integer.flatMap { Int(exactly: $0) } ?? 0
        }
      }
    }
    return numbers
  }

  /// The maximum number of columns in one statement; SQLite allows 2,000.
  private static let mostColumns = 500

  /// The number of an attribute's values that are outside a range, or that aren't whole numbers.
  func values(of attribute: String, entity: String, outside range: ClosedRange<Int64>) throws(MigrationFailure)
    -> Int
  {
    guard let table = layout.table(of: entity), let column = layout.attributeColumn(attribute, of: entity),
      let number = layout.entityNumbers[entity]
    else { return 0 }
    return try count(
      "SELECT count(*) FROM \(quoted(table.name)) WHERE Z_ENT = \(number) AND \(quoted(column)) IS NOT NULL "
        + "AND (typeof(\(quoted(column))) <> 'integer' "
        + "OR \(quoted(column)) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound))")
  }

  /// The number of a relationship's pairs whose owners are of these entities, and whose targets are of `targets`, if
  /// given.
  func pairs(of relationship: String, entities: [String], targets: [String]? = nil) throws(MigrationFailure)
    -> Int
  {
    var total = 0
    for entity in entities {
      guard let storage = RelationshipStorage(of: relationship, entity: entity, in: layout),
        let table = layout.table(of: entity), let number = layout.entityNumbers[entity],
        let declared = layout.model.relationship(relationship, of: entity)
      else { continue }
      var statement =
        "SELECT count(*) FROM \(quoted(storage.table)) AS s WHERE s.\(quoted(storage.target)) IS NOT NULL AND EXISTS "
        + "(SELECT 1 FROM \(quoted(table.name)) AS o WHERE o.Z_PK = s.\(quoted(storage.owner)) AND o.Z_ENT = \(number))"
      if let targets, let target = layout.table(of: declared.destinationEntityName) {
        let numbers = targets.compactMap { layout.entityNumbers[$0].map(String.init) }.joined(separator: ", ")
        statement +=
          " AND EXISTS (SELECT 1 FROM \(quoted(target.name)) AS t WHERE t.Z_PK = s.\(quoted(storage.target)) "
          + "AND t.Z_ENT IN (\(numbers)))"
      }
      total += try count(statement)
    }
    return total
  }

  /// The number of an ordered relationship's pairs whose owner has several targets; 0 if the store keeps no order.
  ///
  /// - Parameters:
  ///   - owners: The owners' entity.
  ///   - isReversed: Whether the owners are the targets of the named relationship.
  func orderedPairs(
    of relationship: String, entity: String, owners: String, isReversed: Bool
  ) throws(MigrationFailure) -> Int {
    guard let found = RelationshipStorage(of: relationship, entity: entity, in: layout),
      let table = layout.table(of: owners), let number = layout.entityNumbers[owners]
    else { return 0 }
    let storage = isReversed ? found.reversed : found
    guard storage.order != nil else { return 0 }
    return try count(
      "SELECT coalesce(sum(number), 0) FROM (SELECT count(*) AS number FROM \(quoted(storage.table)) AS s "
        + "WHERE s.\(quoted(storage.target)) IS NOT NULL AND EXISTS (SELECT 1 FROM \(quoted(table.name)) AS o "
        + "WHERE o.Z_PK = s.\(quoted(storage.owner)) AND o.Z_ENT = \(number)) "
        + "GROUP BY s.\(quoted(storage.owner)) HAVING count(*) > 1)")
  }

  /// Refuses rows whose entity number doesn't belong to their table, or whose key isn't a number from 1 up.
  ///
  /// Such rows mean that another program wrote the store.
  func checkStrayRows() throws(StoreError) {
    for table in layout.tables {
      try store.check { database throws(StoreError) in
        guard let found = try strayRows(of: table, in: database) else { return }
        throw StrayRows(layout: layout, tables: [found]).failure(path: store.path)
      }
    }
  }

  /// The rows that belong to no entity of their table; `nil` if there are none.
  ///
  /// - Throws: `StoreError.strayKeys` for rows whose key isn't a number from 1 up.
  package func strayRows() throws(StoreError) -> StrayRows? {
    var tables: [StrayRows.Table] = []
    for table in layout.tables {
      let found = try store.bounded { try strayRows(of: table, in: store.database) }
      if let found { tables.append(found) }
    }
    return tables.isEmpty ? nil : StrayRows(layout: layout, tables: tables)
  }

  private func strayRows(
    of table: StoreLayout.Table, in database: SQLiteDatabase
  ) throws(StoreError) -> StrayRows.Table? {
    do throws(SQLiteError) {
      let numbers = layout.entityNumbers(inFamilyOf: table.rootEntity)
      let counts = try store.rowCounts(of: table.name, numbers: numbers, in: database)
      guard counts.total > 0 else { return nil }
      if counts.keyed == counts.total, case .integer(1...) = counts.leastKey,
        case .integer = counts.greatestKey
      {
        let placed = layout.concreteNumbers(inFamilyOf: table.rootEntity).reduce(0) {
          $0 + (counts.byNumber[$1] ?? 0)
        }
        return placed == counts.total ? nil : try StrayRows.find(in: table, of: layout, database)
      }
    } catch {
      throw store.judged(error)
    }
    throw StoreError.strayKeys(path: store.path, table: table.name)
  }

  private func count(_ statement: String) throws(MigrationFailure) -> Int {
    do {
      return try store.rows(statement).first?.first?.integer.flatMap { Int(exactly: $0) } ?? 0
    } catch {
      throw MigrationFailure(error)
    }
  }
}
