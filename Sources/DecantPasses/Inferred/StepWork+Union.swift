internal import DecantModel
internal import DecantSQLite
package import DecantStore

extension StepWork {
  /// The column of a union's leading end (`RelationshipOrigin.Union`), if this end is to-one.
  ///
  /// `storages` has the pairs of the other end, which fill the free places of the column.
  package struct UnionColumn {
    package let property: StoreLayout.Property
    let table: StoreLayout.Table
    let column: StoreLayout.Column
    let storages: [RelationshipStorage]
    /// The source relationships of the other end.
    let former: [RelationshipOrigin.End]
  }

  package func unionColumns(_ table: StoreLayout.Table) -> [UnionColumn] {
    table.columns.compactMap { column in
      guard case .toOne(let property) = column.role, let union = origin.union(of: property), union.isLed else {
        return nil
      }
      return UnionColumn(
        property: property, table: table, column: column, storages: origin.unionStorages(of: property),
        former: union.second)
    }
  }

  /// Adds pairs of a union's other end to objects that have no target from the leading end.
  ///
  /// A target that isn't in the destination counts as none.
  ///
  /// If the other end gives an object several targets, the target with the largest key is taken. Each statement reads
  /// only data that no other chunk changes, or takes the larger key. So the result is the same for every chunk size.
  func unionFills(_ table: StoreLayout.Table) -> [Work] {
    unionColumns(table).flatMap { union -> [Work] in
      guard let inverse = toOneInverse(of: union.property),
        let inverseTable = pairing.destination.table(of: inverse.property.entity)
      else {
        return union.storages.map { fill(union, $0, isFree: hasNoOwn(union), isFreeTarget: nil) }
      }
      // `lateFills` has set the inverse for the leading pairs. An object is free if its target doesn't lead back to it.
      let own = "main.\(quoted(table.name))"
      let isMatched =
        "EXISTS (SELECT 1 FROM main.\(quoted(inverse.table)) AS m WHERE m.Z_PK = \(own).\(quoted(union.column.name)) "
        + "AND m.\(quoted(inverse.column.name)) = \(own).Z_PK)"
      let isFreeTarget =
        "EXISTS (SELECT 1 FROM main.\(quoted(inverse.table)) AS m WHERE m.Z_PK = %@ AND m.\(quoted(inverse.column.name)) IS NULL)"
      return [
        orphans(union.column, union.property, table),
        clearing((union.property, table.name, union.column), inverse.column, inverseTable, isFreeNow: true),
      ] + union.storages.map { fill(union, $0, isFree: "NOT \(isMatched)", isFreeTarget: isFreeTarget) }
        + union.storages.prefix(1).map { answer(union, inverse, $0) }
    }
  }

  /// The condition that the leading end gives an object no target that is in the destination.
  private func hasNoOwn(_ union: UnionColumn) -> String {
    origin.storages(of: union.property).map { storage in
      "NOT EXISTS (SELECT 1 FROM source.\(quoted(storage.table)) AS f WHERE f.\(quoted(storage.owner)) = "
        + "main.\(quoted(union.table.name)).Z_PK AND f.\(quoted(storage.target)) IS NOT NULL "
        + "AND \(exists("f.\(quoted(storage.target))", in: destination(of: union.column.role))))"
    }.joined(separator: " AND ")
  }

  private func fill(
    _ union: UnionColumn, _ storage: RelationshipStorage, isFree: String, isFreeTarget: String?
  ) -> Work {
    let (name, column) = (quoted(union.table.name), quoted(union.column.name))
    let target = "s.\(quoted(storage.target))"
    let entity = destination(of: union.column.role)
    let further = isFreeTarget.map { " AND " + $0.replacing("%@", with: target) } ?? ""
    return fill(
      union.column, union.property, union.table, from: storage, further,
      where:
        "\(isOfFamily(union, "main.\(name)")) AND \(isFree) AND (\(column) IS NULL OR \(column) < x.target "
        + "OR NOT \(exists("main.\(name).\(column)", in: entity)))")
  }

  /// Sets the inverse of the leading column in rows where the inverse is NULL.
  private func answer(_ union: UnionColumn, _ inverse: ToOneEnd, _ storage: RelationshipStorage) -> Work {
    let sets = sets(inverse.column, inverse.property, storage)
    return Work(
      "\(inverse.property)", stage: .relate,
      statements: [
        "UPDATE main.\(quoted(inverse.table)) SET \(sets) FROM (SELECT a.\(quoted(union.column.name)) AS owner, "
          + "a.Z_PK AS target, NULL AS place FROM main.\(quoted(union.table.name)) AS a "
          + "WHERE a.\(quoted(union.column.name)) IS NOT NULL) AS x "
          + "WHERE Z_PK = x.owner AND \(quoted(inverse.column.name)) IS NULL"
      ])
  }

  private func isOfFamily(_ union: UnionColumn, _ row: String) -> String {
    let numbers = pairing.destination.entityNumbers(inFamilyOf: union.property.entity)
    return "\(row).Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// Counts the pairs of a union's other end that aren't in the destination.
  func unionLosses(_ table: StoreLayout.Table) -> [Work] {
    unionColumns(table).flatMap { union -> [Work] in
      let name = union.former.first.map { "\($0.entity).\($0.name)" } ?? "\(union.property)"
      let entity = destination(of: union.column.role)
      return union.storages.flatMap { storage -> [Work] in
        let target = "s.\(quoted(storage.target))"
        let isThere = "\(isOfFamily(union, "d")) AND \(exists(target, in: entity))"
        let pairs =
          "SELECT count(*) FROM source.\(quoted(storage.table)) AS s LEFT JOIN main.\(quoted(table.name)) AS d "
          + "ON d.Z_PK = s.\(quoted(storage.owner)) WHERE s.\(quoted(storage.owner)) IS NOT NULL AND \(target) IS NOT NULL"
        return [
          Work(
            "\(union.property)", stage: .validate, statements: [],
            count: "\(pairs) AND \(isThere) AND d.\(quoted(union.column.name)) IS NOT \(target)"
          ) { count in
            "\(count) \(count == 1 ? "pair" : "pairs") of “\(name)” \(count == 1 ? "is" : "are") left out: “\(name)” and “\(union.property)” "
              + "are the two ends of one relationship now. An object keeps its target of “\(union.property)”. "
              + "An object without a target gets the one with the largest key."
          },
          Work(
            "\(union.property)", stage: .validate, statements: [],
            count: "\(pairs) AND (d.Z_PK IS NULL OR NOT (\(isThere)))"
          ) { count in
            "\(count) \(count == 1 ? "pair" : "pairs") of “\(name)” led to a missing object; \(count == 1 ? "it is" : "they are") left out."
          },
        ]
      }
    }
  }
}
