internal import DecantModel
internal import DecantSQLite
internal import DecantStore

extension StepWork {
  /// Copies the pairs of a many-to-many relationship from their storages in the source.
  ///
  /// In a union, a pair that both sides have is one pair. The order of the two sides makes no difference. Pairs are
  /// read in the order of the destination's primary key if the source has an index for it. So the destination's own
  /// index is written from front to back.
  func copies(_ join: StoreLayout.JoinTable) -> [Work] {
    let property = join.second.relationship
    return (origin.storages(of: property) + origin.unionStorages(of: property)).map { storage in
      var columns = [quoted(join.first.column), quoted(join.second.column)]
      var values = ["s." + quoted(storage.owner), "s." + quoted(storage.target)]
      if let column = join.second.orderColumn, let order = storage.order {
        columns.append(quoted(column))
        values.append("s." + quoted(order))
      }
      if let column = join.first.orderColumn, let order = storage.inverseOrder {
        columns.append(quoted(column))
        values.append("s." + quoted(order))
      }
      let isIndexed = storage.kind == .join && leadingColumns[storage.table]?.contains(storage.owner) == true
      let key = isIndexed ? storage.owner : storage.key
      let statement =
        "INSERT OR IGNORE INTO main.\(quoted(join.name)) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM source.\(quoted(storage.table)) AS s "
        + "WHERE s.\(quoted(key)) > ?1 AND s.\(quoted(key)) <= ?2 AND s.\(quoted(storage.owner)) IS NOT NULL "
        + "AND s.\(quoted(storage.target)) IS NOT NULL"
        + (isIndexed ? " ORDER BY s.\(quoted(storage.owner)), s.\(quoted(storage.target))" : "")
      return Work(
        "\(join.second.relationship)", stage: .relate, extent: .chunks(table: storage.table, key: key),
        statements: [statement])
    }
  }
}
