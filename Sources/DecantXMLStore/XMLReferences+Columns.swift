internal import DecantModel
internal import DecantSQLite
internal import DecantStore

extension XMLReferences {
  /// The table and key column of a to-one relationship, and the numbers of the entities that have the relationship.
  private func place(of relation: Relation) -> (table: String, column: String, numbers: String)? {
    guard let table = layout.table(of: relation.entity)?.name,
      let column = layout.toOneColumn(relation.relationship.name, of: relation.entity)
    else { return nil }
    return (quoted(table), quoted(column), numbers(of: relation.entity))
  }

  private func failure(_ error: any Error) -> StoreError {
    switch error {
    case let error as SQLiteError: .sqlite(error)
    case let error as StoreError: error
    default: .damagedXML(path: path, line: 0, reason: "\(error)")
    }
  }

  /// Fills a to-one column from the references of the to-one end.
  func fillToOne(_ relation: Relation) throws(StoreError) {
    guard let (table, column, _) = place(of: relation) else { return }
    do {
      try database.execute(
        "UPDATE \(table) SET \(column) = r.target FROM Z_DECANT_REFERENCE AS r "
          + "WHERE r.relation = \(relation.number) AND r.owner = \(table).Z_PK")
    } catch {
      throw .sqlite(error)
    }
  }

  /// Reconciles the two ends of a relationship.
  ///
  /// This is called for each end. An end of a one-to-one relationship is filled from the other end. A relationship with
  /// a to-many end is reconciled in the call for one of its ends.
  mutating func join(_ relation: Relation) throws(StoreError) {
    let inverse = inverse(of: relation)
    do throws(SQLiteError) {
      switch (relation.relationship.isToMany, inverse) {
      case (false, let inverse?) where !inverse.relationship.isToMany:
        try takeOver(from: inverse, into: relation)
        return
      case (true, let inverse?) where inverse.relationship.isToMany:
        if layout.joinTable(relation.relationship.name, of: relation.entity)?.isNaming == true {
          try fillJoinTable(relation, inverse)
        }
        return
      case (false, _): return
      default: break
      }
    } catch {
      throw .sqlite(error)
    }
    if let inverse { try joinToMany(relation, inverse) } else { try fillOwners(relation) }
  }

  /// Reconciles a to-many list with its to-one inverse.
  private mutating func joinToMany(_ list: Relation, _ toOne: Relation) throws(StoreError) {
    guard let (table, column, _) = place(of: toOne) else {
      return try refuseAny(of: list, "an SQLite store has no place for it")
    }
    let listed =
      "Z_DECANT_REFERENCE AS r JOIN \(table) AS c ON c.Z_PK = r.target WHERE r.relation = \(list.number)"
    do {
      let differing = try count("FROM \(listed) AND c.\(column) IS NOT NULL AND c.\(column) <> r.owner")
      if differing > 0 {
        let first = try example(
          "SELECT r.owner, r.target FROM \(listed) AND c.\(column) IS NOT NULL AND c.\(column) <> r.owner LIMIT 1"
        )
        warnings.append(
          "“\(list.name)” names \(Self.objects(differing)) whose “\(toOne.relationship.name)” is another object; “\(toOne.name)” "
            + "is used (the first: z\(first.target) in the list of z\(first.owner)).")
        try database.execute(
          "DELETE FROM Z_DECANT_REFERENCE WHERE relation = \(list.number) AND EXISTS (SELECT 1 FROM \(table) AS c "
            + "WHERE c.Z_PK = target AND c.\(column) IS NOT NULL AND c.\(column) <> owner)")
      }
      let torn = try database.rows(
        "SELECT r.target, min(r.owner), max(r.owner) FROM \(listed) AND c.\(column) IS NULL GROUP BY r.target "
          + "HAVING count(*) > 1 LIMIT 1")
      if let row = torn.first, let target = row[0].integer, let one = row[1].integer, let other = row[2].integer
      {
        throw refusal(
          list, object: target,
          "it is in “\(list.name)” of z\(one) and of z\(other), and its own “\(toOne.relationship.name)” is empty"
        )
      }
      try takeOver(from: list, into: toOne)
      try addMissing(
        to: list,
        pairs: "SELECT c.\(column) AS owner, c.Z_PK AS target FROM \(table) AS c "
          + "WHERE c.\(column) IS NOT NULL AND c.Z_ENT IN (\(numbers(of: toOne.entity)))", from: toOne)
      if let order = layout.orderColumn(toOne.relationship.name, of: toOne.entity) {
        try database.execute(
          "UPDATE \(table) SET \(quoted(order)) = \(OrderingKeys.key(number: "(r.place + 1)")) FROM Z_DECANT_REFERENCE AS r "
            + "WHERE r.relation = \(list.number) AND r.target = \(table).Z_PK AND r.owner = \(table).\(column)")
      }
    } catch {
      throw failure(error)
    }
  }

  /// Fills empty fields of a to-one column from the other end.
  ///
  /// A field is filled only if exactly one reference of the other end leads to the object.
  private mutating func takeOver(from other: Relation, into toOne: Relation) throws(SQLiteError) {
    guard let (table, column, numbers) = place(of: toOne) else { return }
    try database.execute(
      "UPDATE \(table) SET \(column) = (SELECT r.owner FROM Z_DECANT_REFERENCE AS r "
        + "WHERE r.relation = \(other.number) AND r.target = \(table).Z_PK) "
        + "WHERE \(column) IS NULL AND Z_ENT IN (\(numbers)) AND (SELECT count(*) FROM Z_DECANT_REFERENCE AS r "
        + "WHERE r.relation = \(other.number) AND r.target = \(table).Z_PK) = 1")
    let taken = database.changes
    guard taken > 0 else { return }
    warnings.append(
      "“\(toOne.name)” gets \(Self.references(taken)) that only “\(other.name)” has.")
  }

  /// Reports the ends of a one-to-one relationship that don't lead to each other.
  ///
  /// Such ends stay as in the file.
  mutating func reportOneToOne(_ one: Relation) throws(StoreError) {
    guard let other = inverse(of: one), !other.relationship.isToMany,
      let (table, column, _) = place(of: one), let (target, back, _) = place(of: other)
    else { return }
    let odd: Int
    do {
      odd = try count(
        "FROM \(table) AS a JOIN \(target) AS b ON b.Z_PK = a.\(column) WHERE b.\(back) IS NOT a.Z_PK")
    } catch {
      throw .sqlite(error)
    }
    guard odd > 0 else { return }
    warnings.append(
      "In \(Self.objects(odd)), “\(one.name)” leads to an object whose “\(other.relationship.name)” doesn't lead back."
    )
  }

  /// Adds the pairs that only the other end has, each as the last one in its owner's list.
  private mutating func addMissing(
    to list: Relation, pairs: String, from other: Relation
  ) throws(SQLiteError) {
    try database.execute(
      "INSERT INTO Z_DECANT_REFERENCE (relation, owner, place, target) SELECT \(list.number), p.owner, "
        + "ifnull((SELECT max(e.place) + 1 FROM Z_DECANT_REFERENCE AS e WHERE e.relation = \(list.number) "
        + "AND e.owner = p.owner), 0) + row_number() OVER (PARTITION BY p.owner ORDER BY p.target) - 1, p.target "
        + "FROM (\(pairs)) AS p WHERE NOT EXISTS (SELECT 1 FROM Z_DECANT_REFERENCE AS e "
        + "WHERE e.relation = \(list.number) AND e.target = p.target AND e.owner = p.owner)")
    let added = database.changes
    guard added > 0 else { return }
    warnings.append(
      "“\(list.name)” gets \(Self.references(added)) that only “\(other.name)” has.")
  }

  private mutating func fillJoinTable(_ naming: Relation, _ inverse: Relation) throws(SQLiteError) {
    guard let join = layout.joinTable(naming.relationship.name, of: naming.entity)?.table else { return }
    func turned(_ relation: Relation) -> String {
      "SELECT target AS owner, owner AS target FROM Z_DECANT_REFERENCE WHERE relation = \(relation.number)"
    }
    if naming.number != inverse.number {
      try addMissing(to: naming, pairs: turned(inverse), from: inverse)
      try addMissing(to: inverse, pairs: turned(naming), from: naming)
    }
    let inversePlace =
      "(SELECT \(OrderingKeys.key(number: "(i.place + 1)")) FROM Z_DECANT_REFERENCE AS i WHERE i.relation = \(inverse.number) "
      + "AND i.owner = r.target AND i.target = r.owner)"
    let columns: [(name: String?, value: String)] = [
      (join.first.column, "r.owner"), (join.second.column, "r.target"), (join.first.orderColumn, inversePlace),
      (join.second.orderColumn, OrderingKeys.key(number: "(r.place + 1)")),
    ]
    let used = columns.filter { $0.name != nil }
    try database.execute(
      "INSERT INTO \(quoted(join.name)) (\(used.compactMap { $0.name.map(quoted) }.joined(separator: ", "))) "
        + "SELECT \(used.map(\.value).joined(separator: ", ")) FROM Z_DECANT_REFERENCE AS r "
        + "WHERE r.relation = \(naming.number)")
  }

  /// Fills the column of a to-many relationship without inverse.
  ///
  /// An SQLite store has this column in the table of the targets.
  private func fillOwners(_ relation: Relation) throws(StoreError) {
    guard let table = layout.table(of: relation.relationship.destinationEntityName)?.name,
      let column = layout.ownerColumn(relation.relationship.name, of: relation.entity),
      !relation.relationship.isOrdered
    else { return try refuseAny(of: relation, "an SQLite store has no known place for it") }
    do {
      let torn = try database.rows(
        "SELECT target, min(owner), max(owner) FROM Z_DECANT_REFERENCE WHERE relation = \(relation.number) "
          + "GROUP BY target HAVING count(*) > 1 LIMIT 1")
      if let row = torn.first, let target = row[0].integer, let one = row[1].integer, let other = row[2].integer
      {
        throw refusal(
          relation, object: target,
          "it is in “\(relation.name)” of z\(one) and of z\(other), and an SQLite store keeps only one owner of it"
        )
      }
      try database.execute(
        "UPDATE \(quoted(table)) SET \(quoted(column)) = r.owner FROM Z_DECANT_REFERENCE AS r "
          + "WHERE r.relation = \(relation.number) AND r.target = \(quoted(table)).Z_PK")
    } catch {
      throw failure(error)
    }
  }

  /// Fills the number of the target's entity beside its key (docs/formats/core-data-sqlite.md 2.3).
  func finishToOne(_ relation: Relation) throws(StoreError) {
    guard let (table, column, numbers) = place(of: relation),
      let entity = layout.toOneEntityColumn(relation.relationship.name, of: relation.entity)
    else { return }
    do {
      try database.execute(
        "UPDATE \(table) SET \(quoted(entity)) = (SELECT number FROM Z_DECANT_OBJECT WHERE key = \(column)) "
          + "WHERE \(column) IS NOT NULL AND Z_ENT IN (\(numbers))")
    } catch {
      throw .sqlite(error)
    }
  }
}
