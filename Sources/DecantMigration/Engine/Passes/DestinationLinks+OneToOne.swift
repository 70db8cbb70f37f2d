internal import DecantModel
internal import DecantSQLite

/// One-to-one relationships, in which setting a pair may part two others.
extension DestinationLinks {
  /// An owner that comes up several times asks once, for the target of its first source object, and not at all where
  /// something was there before the work began: whether it then keeps the target doesn't change that, so that chunks
  /// make no difference.
  var claimed: [Statement] {
    let work = SQLLiteral.string(work)
    let claims = "main.\(Associations.claims)"
    return [
      Statement(
        "DELETE FROM temp.decant_pairs WHERE owner IN (SELECT owner FROM \(claims) WHERE work = \(work))"),
      Statement(
        "INSERT INTO \(claims) (work, owner) SELECT \(work), owner FROM temp.decant_pairs"),
      Statement("DELETE FROM temp.decant_pairs WHERE NOT added"),
    ]
  }

  /// Notes, before the first chunk, the objects that have a target; `nil` where nobody claims.
  var claiming: [String]? {
    guard storage.kind == .owners, manner != .whole, otherEnd != nil else { return nil }
    return [
      "INSERT OR IGNORE INTO main.\(Associations.claims) (work, owner) SELECT \(SQLLiteral.string(work)), Z_PK "
        + "FROM main.\(quoted(ownerTable.name)) WHERE \(quoted(storage.target)) IS NOT NULL"
    ]
  }

  /// Of several owners that ask for a target the last one has it; each has asked once.
  var firstClaims: Statement {
    Statement(
      "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM temp.decant_pairs AS o "
        + "WHERE o.target = decant_pairs.target AND o.source > decant_pairs.source)", displaces: true)
  }

  /// Whether the relationship leads back to itself.
  var isOwnInverse: Bool {
    otherEnd.map { $0.table == ownerTable.name && $0.key == storage.target } ?? false
  }

  /// A pair stands where nothing later asks for either of its objects; every object that is asked for leaves the one
  /// that it was paired with.
  var ownInverse: [Statement] {
    let table = "main.\(quoted(ownerTable.name))"
    let column = quoted(storage.target)
    let entityColumn = layout.toOneEntityColumn(relationship.name, of: entity)
    let emptied = Self.cleared([storage.target, entityColumn])
    var statements = [
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM temp.decant_pairs AS o "
          + "WHERE o.owner = decant_pairs.owner AND (o.source, o.place, o.target) "
          + "< (decant_pairs.source, decant_pairs.place, decant_pairs.target))")
    ]
    // Owners of one mapping have keys in the order of their sources.
    if manner == .whole {
      statements.append(
        Statement("INSERT OR IGNORE INTO temp.decant_touched SELECT owner FROM temp.decant_owners"))
    } else {
      statements += claimed
    }
    let later = "temp.decant_pairs AS o WHERE o.source > decant_pairs.source AND"
    let conditions =
      ["o.target = decant_pairs.target", "o.target = decant_pairs.owner", "o.owner = decant_pairs.target"].map {
        "EXISTS (SELECT 1 FROM \(later) \($0))"
      }
      + (manner == .whole
        ? [
          "(decant_pairs.target > decant_pairs.owner AND EXISTS (SELECT 1 FROM temp.decant_owners AS e "
            + "WHERE e.owner = decant_pairs.target))"
        ] : [])
    statements += [
      Statement("INSERT OR IGNORE INTO temp.decant_touched SELECT owner FROM temp.decant_pairs"),
      Statement("INSERT OR IGNORE INTO temp.decant_touched SELECT target FROM temp.decant_pairs"),
      // The same pair the other way round is one, and the later one tells whether it stands.
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM \(later) o.owner = decant_pairs.target "
          + "AND o.target = decant_pairs.owner)"),
      Statement(
        "DELETE FROM temp.decant_pairs WHERE \(conditions.joined(separator: " OR "))", displaces: true),
    ]
    // Each pair that parts is counted at one of its ends.
    for (side, displaces) in [("\(column) >= Z_PK", true), ("\(column) < Z_PK", false)] {
      statements.append(
        Statement(
          "UPDATE \(table) SET \(emptied) WHERE \(side) AND (Z_PK IN (SELECT object FROM temp.decant_touched) "
            + "OR \(column) IN (SELECT object FROM temp.decant_touched)) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = Z_PK AND p.target = \(column)) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = \(column) AND p.target = Z_PK)",
          displaces: displaces))
    }
    for (from, to) in [("owner", "target"), ("target", "owner")] {
      var sets = ["\(column) = p.\(to)"]
      if let entityColumn {
        sets.append("\(quoted(entityColumn)) = \(Self.number(of: "p.\(to)", in: ownerTable))")
      }
      statements.append(
        Statement(
          "UPDATE \(table) SET \(sets.joined(separator: ", ")) FROM temp.decant_pairs AS p WHERE Z_PK = p.\(from)"
        ))
    }
    return statements
  }
}
