internal import DecantModel
internal import DecantSQLite
internal import DecantStore

extension StepWork {
  /// Clears and counts to-one references whose target isn't in the destination.
  ///
  /// - Parameter unique: True for references in a uniqueness constraint, false for all others.
  func orphans(_ table: StoreLayout.Table, unique: Bool) -> [Work] {
    let constrained = Set(
      pairing.destination.model.family(of: table.rootEntity).flatMap {
        $0.uniquenessConstraints.flatMap(\.self)
      })
    return table.columns.compactMap { column in
      switch column.role {
      case .toOne(let property), .owner(let property):
        constrained.contains(property.name) == unique ? orphans(column, property, table) : nil
      default: nil
      }
    }
  }

  func orphans(
    _ column: StoreLayout.Column, _ property: StoreLayout.Property, _ table: StoreLayout.Table
  ) -> Work {
    let key = "main.\(quoted(table.name)).\(quoted(column.name))"
    return Work(
      "\(property)", stage: .validate,
      condition: missing(column.name, of: table.name, in: destination(of: column.role)),
      statements: [
        "UPDATE main.\(quoted(table.name)) SET \(clearing(column)) WHERE \(quoted(column.name)) "
          + "IS NOT NULL AND NOT \(exists(key, in: destination(of: column.role)))"
      ],
      finding: { count in
        "\(counted(count, "object")) had a relationship “\(property)” to a missing object; the relationship is nil now."
      })
  }

  /// SQL that clears a key, with the entity number and the ordering key beside it.
  func clearing(_ column: StoreLayout.Column) -> String {
    guard case .toOne(let property) = column.role,
      let storage = RelationshipStorage(
        of: property.name, entity: property.entity, in: pairing.destination)
    else { return RelationshipStorage.clearing([column.name]) }
    return storage.clearing
  }

  func orphans(_ join: StoreLayout.JoinTable) -> Work {
    let ends = [join.first, join.second].map { end -> (column: String, destination: String) in
      let relationship = pairing.destination.model.relationship(
        end.relationship.name, of: end.relationship.entity)
      return (end.column, relationship?.destinationEntityName ?? "")
    }
    let counts = ends.map { missing($0.column, of: join.name, in: $0.destination) }.joined(separator: ") + (")
    let present = ends.map { exists("main.\(quoted(join.name)).\(quoted($0.column))", in: $0.destination) }
    let name = "\(join.second.relationship)"
    return Work(
      name, stage: .validate, condition: "SELECT (\(counts))",
      statements: ["DELETE FROM main.\(quoted(join.name)) WHERE NOT (\(present.joined(separator: " AND ")))"],
      joinTable: join.name,
      finding: { count in
        count == 1
          ? "1 pair of “\(name)” led to a missing object; it is left out."
          : "\(count) pairs of “\(name)” led to a missing object; they are left out."
      })
  }

  /// The entity to whose objects a column's keys lead.
  func destination(of role: StoreLayout.Role) -> String {
    switch role {
    case .toOne(let property):
      pairing.destination.model.relationship(property.name, of: property.entity)?.destinationEntityName ?? ""
    case .owner(let property): property.entity
    default: ""
    }
  }

  /// SQL that counts the different keys of a column that lead to no object of an entity.
  ///
  /// With an index of the column, the keys are read in the order of the target table.
  private func missing(_ column: String, of table: String, in entity: String) -> String {
    let keys =
      "SELECT count(*) FROM (SELECT DISTINCT \(quoted(column)) AS k FROM main.\(quoted(table)) "
      + "WHERE \(quoted(column)) IS NOT NULL) AS a"
    guard let target = pairing.destination.table(of: entity) else { return keys }
    let numbers = pairing.destination.entityNumbers(inFamilyOf: entity)
    let fits =
      numbers.count == 1 ? "= \(numbers[0])" : "IN (\(numbers.map(String.init).joined(separator: ", ")))"
    // This is faster than a subquery for each key.
    return "\(keys) LEFT JOIN main.\(quoted(target.name)) AS t ON t.Z_PK = a.k AND t.Z_ENT \(fits) "
      + "WHERE t.Z_PK IS NULL"
  }

  func exists(_ key: String, in entity: String) -> String {
    let layout = pairing.destination
    guard let target = layout.table(of: entity) else { return "0" }
    let numbers = layout.entityNumbers(inFamilyOf: entity).map(String.init).joined(separator: ", ")
    return
      "EXISTS (SELECT 1 FROM main.\(quoted(target.name)) AS t WHERE t.Z_PK = \(key) AND t.Z_ENT IN (\(numbers)))"
  }
}
