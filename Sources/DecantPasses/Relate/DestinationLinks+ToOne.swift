internal import DecantModel
internal import DecantSQLite
internal import DecantStore

extension DestinationLinks {
  /// Statements for the owners' column.
  var toOne: [Statement] {
    let table = "main.\(quoted(ownerTable.name))"
    let column = quoted(storage.target)
    if isOwnInverse { return ownInverse }
    var statements = [firstTarget]
    let other = otherEnd
    if manner != .whole { statements += claimed }
    // A pair that is claimed again is no longer a former pair, even if another object gets the target.
    if let other { statements += struckOut + oneOwner((other.table, other.owner, other.target)) }
    if manner == .whole {
      if let other {
        // The former targets no longer lead back to their owners.
        statements.append(
          Statement(
            "UPDATE main.\(quoted(other.table)) SET \(other.clearing) "
              + "WHERE \(quoted(other.target)) IN (SELECT owner FROM temp.decant_owners) AND NOT EXISTS (SELECT 1 FROM "
              + "temp.decant_pairs AS p WHERE p.owner = \(quoted(other.target)) AND p.target = Z_PK)"))
      }
      statements.append(
        Statement(
          "UPDATE \(table) SET \(storage.clearing) WHERE Z_PK IN (SELECT owner FROM temp.decant_owners) "
            + "AND \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp.decant_pairs AS p "
            + "WHERE p.owner = Z_PK AND p.target = \(column))", displaces: true))
    }
    if other != nil {
      // A moved target leaves its old owner.
      statements.append(
        Statement(
          "UPDATE \(table) SET \(storage.clearing) WHERE \(column) IN (SELECT target FROM temp.decant_pairs) AND Z_PK <> "
            + "(SELECT p.owner FROM temp.decant_pairs AS p WHERE p.target = \(column))", displaces: true))
    }
    statements.append(
      Statement(
        "UPDATE \(table) SET \(Self.leading(storage, to: "p.target", in: targetTable)) FROM temp.decant_pairs AS p "
          + "WHERE Z_PK = p.owner"))
    if let other {
      statements.append(
        Statement(
          "UPDATE main.\(quoted(other.table)) SET \(Self.leading(other, to: "p.owner", in: ownerTable)) "
            + "FROM temp.decant_pairs AS p WHERE Z_PK = p.target"))
    } else {
      statements += restoredPlaces + struckOut
    }
    return statements
  }

  /// An owner keeps only the first target of the first source object that has a target.
  var firstTarget: Statement {
    Statement(
      "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM temp.decant_pairs AS o "
        + "WHERE o.owner = decant_pairs.owner AND (o.source, o.place, o.target) "
        + "< (decant_pairs.source, decant_pairs.place, decant_pairs.target))")
  }

  /// The storage of the inverse; `nil` if the relationship has no to-one inverse.
  var otherEnd: RelationshipStorage? {
    guard let inverse = layout.model.inverse(of: relationship), !inverse.relationship.isToMany else {
      return nil
    }
    return RelationshipStorage(of: inverse.relationship.name, entity: inverse.entity.name, in: layout)
  }
}
