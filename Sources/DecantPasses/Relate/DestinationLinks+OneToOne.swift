internal import DecantModel
internal import DecantSQLite

/// To-one relationships, and one-to-one relationships that are their own inverse.
extension DestinationLinks {
  /// Statements that let each owner claim one target.
  ///
  /// An owner with several source objects claims only one target: that of the first source object that has a target.
  /// Even if the owner loses this target later, it claims no other target. So chunk sizes make no difference.
  var claimed: [Statement] {
    let work = SQLLiteral.string(work)
    let claims = "main.\(Associations.claims)"
    return [
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM \(claims) AS c WHERE c.work = \(work) "
          + "AND c.object = decant_pairs.owner)"),
      Statement(
        "INSERT INTO \(claims) (work, object) SELECT \(work), owner FROM temp.decant_pairs"),
      Statement("DELETE FROM temp.decant_pairs WHERE NOT added"),
    ]
  }

  /// Statements before the first chunk, so that an object that already has a target claims no other target.
  var claiming: [String]? {
    guard storage.kind == .owners, manner == .waiting else { return nil }
    return [
      "INSERT OR IGNORE INTO main.\(Associations.claims) (work, object) SELECT \(SQLLiteral.string(work)), Z_PK "
        + "FROM main.\(quoted(ownerTable.name)) WHERE \(quoted(storage.target)) IS NOT NULL"
    ]
  }

  /// Statements for a relationship that is its own inverse.
  var ownInverse: [Statement] {
    let table = "main.\(quoted(ownerTable.name))"
    let column = quoted(storage.target)
    var statements = [firstTarget]
    // Without `uniqueBy`, the owners have keys in the order of their source objects, so no claims are needed.
    if manner == .whole {
      statements.append(
        Statement("INSERT OR IGNORE INTO temp.decant_touched SELECT owner FROM temp.decant_owners"))
    } else {
      statements += claimed + keepingLaterPairs
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
      // The reversed pair is the same pair. The later of the two decides whether the pair stays.
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM \(later) o.owner = decant_pairs.target "
          + "AND o.target = decant_pairs.owner)"),
      Statement(
        "DELETE FROM temp.decant_pairs WHERE \(conditions.joined(separator: " OR "))", displaces: true),
    ]
    // Each separated pair is counted at one of its ends.
    for (side, displaces) in [("\(column) >= Z_PK", true), ("\(column) < Z_PK", false)] {
      statements.append(
        Statement(
          "UPDATE \(table) SET \(storage.clearing) WHERE \(side) AND (Z_PK IN (SELECT object FROM temp.decant_touched) "
            + "OR \(column) IN (SELECT object FROM temp.decant_touched)) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = Z_PK AND p.target = \(column)) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = \(column) AND p.target = Z_PK)",
          displaces: displaces))
    }
    for (from, to) in [("owner", "target"), ("target", "owner")] {
      statements.append(
        Statement(
          "UPDATE \(table) SET \(Self.leading(storage, to: "p.\(to)", in: ownerTable)) FROM temp.decant_pairs AS p "
            + "WHERE Z_PK = p.\(from)"))
    }
    return statements
  }

  /// Statements at the step's end that leave each target the partner that a later mapping has set.
  private var keepingLaterPairs: [Statement] {
    guard manner == .waiting else { return [] }
    let (table, column) = ("main.\(quoted(ownerTable.name))", quoted(storage.target))
    let claims = "main.\(Associations.claims)"
    let set = setAtEnd(ownerTable.name, storage.target)
    return [
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM \(table) AS t WHERE t.Z_PK = decant_pairs.target "
          + "AND t.\(column) <> decant_pairs.owner) AND NOT EXISTS (SELECT 1 FROM \(claims) AS c "
          + "WHERE c.work = \(set) AND c.object = decant_pairs.target)", displaces: true),
      Statement(
        "INSERT OR IGNORE INTO \(claims) (work, object) SELECT \(set), target FROM temp.decant_pairs WHERE NOT EXISTS "
          + "(SELECT 1 FROM \(table) AS t WHERE t.Z_PK = decant_pairs.target AND t.\(column) = decant_pairs.owner)"
      ),
    ]
  }
}
