internal import DecantModel
internal import DecantSQLite

extension DestinationLinks {
  /// Statements for the targets' column.
  var toMany: [Statement] {
    let table = "main.\(quoted(storage.table))"
    let column = quoted(storage.owner)
    var statements = numbering + struckOut + oneOwner((storage.table, storage.target, storage.owner))
    if manner == .whole {
      statements.append(
        Statement(
          "UPDATE \(table) SET \(storage.clearing) WHERE \(column) IN (SELECT owner FROM temp.decant_owners) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = \(column) AND p.target = Z_PK)",
          displaces: true))
    }
    // A moved target leaves its old owner.
    statements.append(
      Statement(
        "UPDATE \(table) SET \(storage.clearing) WHERE Z_PK IN (SELECT target FROM temp.decant_pairs WHERE added) "
          + "AND \(column) <> (SELECT p.owner FROM temp.decant_pairs AS p WHERE p.target = Z_PK)",
        displaces: true))
    statements.append(
      Statement(
        "UPDATE \(table) SET \(Self.leading(storage, to: "p.owner", in: ownerTable)) FROM temp.decant_pairs AS p "
          + "WHERE Z_PK = p.target AND p.added"))
    if let order = storage.order, setsOrder {
      statements.append(
        Statement(
          // The plus keeps SQLite from using the index of the column.
          "UPDATE \(table) SET \(quoted(order)) = p.place FROM temp.decant_pairs AS p "
            + "WHERE Z_PK = p.target AND \(column) = +p.owner"))
    }
    return statements
  }
}
