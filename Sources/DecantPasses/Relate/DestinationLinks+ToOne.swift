internal import DecantModel
internal import DecantSQLite

extension DestinationLinks {
  /// Statements for the owners' column: each owner has one target, the target of its first source object.
  var toOne: [Statement] {
    let table = "main.\(quoted(ownerTable.name))"
    let column = quoted(storage.target)
    let entityColumn = layout.toOneEntityColumn(relationship.name, of: entity)
    let emptied = Self.cleared([
      storage.target, entityColumn, layout.orderColumn(relationship.name, of: entity),
    ])
    if isOwnInverse { return ownInverse }
    var statements = [
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM temp.decant_pairs AS o "
          + "WHERE o.owner = decant_pairs.owner AND (o.source, o.place, o.target) "
          + "< (decant_pairs.source, decant_pairs.place, decant_pairs.target))")
    ]
    let other = otherEnd
    if manner != .whole, other != nil {
      statements += claimed
    } else if manner != .whole {
      // An existing target stays.
      statements.append(
        Statement(
          "DELETE FROM temp.decant_pairs WHERE NOT added OR EXISTS (SELECT 1 FROM \(table) AS o "
            + "WHERE o.Z_PK = decant_pairs.owner AND o.\(column) IS NOT NULL)"))
    }
    if other != nil { statements.append(manner == .whole ? oneOwner : firstClaims) }
    if manner == .whole {
      if let other {
        // The former targets no longer lead back to their owners.
        statements.append(
          Statement(
            "UPDATE main.\(quoted(other.table)) SET \(Self.cleared([other.key, other.entity])) "
              + "WHERE \(quoted(other.key)) IN (SELECT owner FROM temp.decant_owners) AND NOT EXISTS (SELECT 1 FROM "
              + "temp.decant_pairs AS p WHERE p.owner = \(quoted(other.key)) AND p.target = Z_PK)"))
      }
      statements.append(
        Statement(
          "UPDATE \(table) SET \(emptied) WHERE Z_PK IN (SELECT owner FROM temp.decant_owners) "
            + "AND \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp.decant_pairs AS p "
            + "WHERE p.owner = Z_PK AND p.target = \(column))", displaces: true))
    }
    if other != nil {
      // A moved target leaves its old owner.
      statements.append(
        Statement(
          "UPDATE \(table) SET \(emptied) WHERE \(column) IN (SELECT target FROM temp.decant_pairs) AND Z_PK <> "
            + "(SELECT p.owner FROM temp.decant_pairs AS p WHERE p.target = \(column))", displaces: true))
    }
    var sets = ["\(column) = p.target"]
    if let entityColumn {
      sets.append("\(quoted(entityColumn)) = \(Self.number(of: "p.target", in: targetTable))")
    }
    statements.append(
      Statement(
        "UPDATE \(table) SET \(sets.joined(separator: ", ")) FROM temp.decant_pairs AS p WHERE Z_PK = p.owner")
    )
    if let other {
      var sets = ["\(quoted(other.key)) = p.owner"]
      if let entity = other.entity {
        sets.append("\(quoted(entity)) = \(Self.number(of: "p.owner", in: ownerTable))")
      }
      statements.append(
        Statement(
          "UPDATE main.\(quoted(other.table)) SET \(sets.joined(separator: ", ")) FROM temp.decant_pairs AS p "
            + "WHERE Z_PK = p.target"))
    }
    return statements
  }

  /// The column of the other end, if that end is to-one too.
  var otherEnd: (table: String, key: String, entity: String?)? {
    guard let inverse = layout.model.inverse(of: relationship), !inverse.relationship.isToMany,
      let table = layout.table(of: inverse.entity.name),
      let key = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name)
    else { return nil }
    return (table.name, key, layout.toOneEntityColumn(inverse.relationship.name, of: inverse.entity.name))
  }
}
