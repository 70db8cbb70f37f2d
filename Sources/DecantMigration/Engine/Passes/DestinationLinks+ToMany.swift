internal import DecantModel
internal import DecantSQLite

extension DestinationLinks {
  private var entityColumn: String? {
    layout.model.inverse(of: relationship).flatMap {
      layout.toOneEntityColumn($0.relationship.name, of: $0.entity.name)
    }
  }

  /// The columns of a target that has no owner any more.
  var emptied: String { Self.cleared([storage.owner, entityColumn, storage.order]) }

  /// The targets' own column: each has one owner, the last that asks for it.
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
      // A target that has found an owner keeps it: that mapping was the later one.
      statements.append(
        Statement(
          "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM \(table) AS t WHERE t.Z_PK = decant_pairs.target "
            + "AND t.\(column) <> decant_pairs.owner)", displaces: true))
    }
    // A target that moves leaves its old owner.
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
          // The plus keeps SQLite from going over the index of the column.
          "UPDATE \(table) SET \(quoted(order)) = p.place FROM temp.decant_pairs AS p "
            + "WHERE Z_PK = p.target AND \(column) = +p.owner"))
    }
    return statements
  }
}
