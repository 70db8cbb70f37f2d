internal import DecantModel
internal import DecantSQLite

extension DestinationLinks {
  private var entityColumn: String? {
    layout.model.inverse(of: relationship).flatMap {
      layout.toOneEntityColumn($0.relationship.name, of: $0.entity.name)
    }
  }

  /// The cleared columns of a target without an owner.
  var emptied: String { Self.cleared([storage.owner, entityColumn, storage.order]) }

  /// Statements for the targets' column: each target has one owner, the last one that claims it.
  var toMany: [Statement] {
    let table = "main.\(quoted(storage.table))"
    let column = quoted(storage.owner)
    var statements = numbering + [oneOwner]
    switch manner {
    case .whole:
      statements.append(
        Statement(
          "UPDATE \(table) SET \(emptied) WHERE \(column) IN (SELECT owner FROM temp.decant_owners) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = \(column) AND p.target = Z_PK)",
          displaces: true))
    case .shared: break
    case .waiting:
      // A target that has an owner already keeps it, because that mapping is the later one.
      statements.append(
        Statement(
          "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM \(table) AS t WHERE t.Z_PK = decant_pairs.target "
            + "AND t.\(column) <> decant_pairs.owner)", displaces: true))
    }
    // A moved target leaves its old owner.
    statements.append(
      Statement(
        "UPDATE \(table) SET \(emptied) WHERE Z_PK IN (SELECT target FROM temp.decant_pairs WHERE added) "
          + "AND \(column) <> (SELECT p.owner FROM temp.decant_pairs AS p WHERE p.target = Z_PK)",
        displaces: true))
    var sets = ["\(column) = p.owner"]
    if let entityColumn {
      sets.append("\(quoted(entityColumn)) = \(Self.number(of: "p.owner", in: ownerTable))")
    }
    statements.append(
      Statement(
        "UPDATE \(table) SET \(sets.joined(separator: ", ")) FROM temp.decant_pairs AS p "
          + "WHERE Z_PK = p.target AND p.added"))
    if let order = storage.order, manner != .shared {
      statements.append(
        Statement(
          // The plus keeps SQLite from using the index of the column.
          "UPDATE \(table) SET \(quoted(order)) = p.place FROM temp.decant_pairs AS p "
            + "WHERE Z_PK = p.target AND \(column) = +p.owner"))
    }
    return statements
  }
}
