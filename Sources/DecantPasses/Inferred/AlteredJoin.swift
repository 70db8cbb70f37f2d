internal import DecantSQLite
internal import DecantStore

/// A join table of the source that stays in the copy of the store.
package struct AlteredJoin: Sendable {
  let source: StoreLayout.JoinTable
  let destination: StoreLayout.JoinTable

  /// - Returns: `nil` if no join table of the source can stay with its pairs.
  init?(_ join: StoreLayout.JoinTable, _ origin: RelationshipOrigin) {
    let property = join.second.relationship
    let storages = origin.storages(of: property)
    guard let storage = storages.first, storages.count == 1, origin.unionStorages(of: property).isEmpty,
      storage.kind == .join, join.first.column != join.second.column,
      let source = origin.pairing.source.joinTables.first(where: { $0.name == storage.table }),
      source.first.column == storage.owner, source.second.column == storage.target,
      source.second.orderColumn == storage.order, source.first.orderColumn == storage.inverseOrder,
      source.second.orderColumn == nil || join.second.orderColumn != nil,
      source.first.orderColumn == nil || join.first.orderColumn != nil
    else { return nil }
    self.source = source
    destination = join
  }

  var kept: Reshaping.KeptTable {
    var columns = [
      (source: source.first.column, destination: destination.first.column),
      (source: source.second.column, destination: destination.second.column),
    ]
    for (from, to) in [(source.first, destination.first), (source.second, destination.second)] {
      if let old = from.orderColumn, let new = to.orderColumn { columns.append((old, new)) }
    }
    let old = Set(columns.map(\.destination))
    let orders = [destination.first.orderColumn, destination.second.orderColumn].compactMap { $0 }
    return Reshaping.KeptTable(
      source: source.name, destination: destination.name, columns: columns,
      changed: Set(orders).subtracting(old))
  }

  /// Deletes rows in which an owner or target is NULL, if there are any.
  ///
  /// Core Data writes no such rows, but a stored row may come from another program.
  var work: [Work] {
    let table = "main.\(quoted(destination.name))"
    let condition =
      "\(quoted(destination.first.column)) IS NULL OR \(quoted(destination.second.column)) IS NULL"
    return [
      Work(
        "\(destination.second.relationship)", stage: .relate,
        condition: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(condition))",
        statements: ["DELETE FROM \(table) WHERE \(condition)"])
    ]
  }
}
