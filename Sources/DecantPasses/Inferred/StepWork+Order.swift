internal import DecantModel
internal import DecantSQLite
package import DecantStore

extension StepWork {
  /// Gives ordering keys (`OrderingKeys`) to targets that have none, in the order of the targets' primary keys.
  ///
  /// If some of an owner's targets have an ordering key already, the other targets come after them.
  package func numberings(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      guard case .order(let property) = column.role,
        let key = pairing.destination.toOneColumn(property.name, of: property.entity)
      else { return nil }
      return numbering(table.name, owner: key, order: column.name, by: "Z_PK", name: "\(property)")
    }
  }

  package func numberings(_ join: StoreLayout.JoinTable) -> [Work] {
    [(join.second, join.first), (join.first, join.second)].compactMap { own, other in
      guard let order = own.orderColumn else { return nil }
      return numbering(
        join.name, owner: other.column, order: order, by: own.column, name: "\(own.relationship)")
    }
  }

  func numbering(_ table: String, owner: String, order: String, by key: String, name: String) -> Work {
    Work(
      name, stage: .relate,
      condition:
        "SELECT EXISTS (SELECT 1 FROM main.\(quoted(table)) NOT INDEXED WHERE \(quoted(owner)) IS NOT NULL "
        + "AND \(quoted(order)) IS NULL)",
      statements: [
        "UPDATE main.\(quoted(table)) SET \(quoted(order)) = x.place FROM (SELECT a.rowid AS row, "
          + OrderingKeys.key(
            number: "row_number() OVER (PARTITION BY a.\(quoted(owner)) ORDER BY a.\(quoted(key)))",
            after: "ifnull(m.last, \(OrderingKeys.beforeFirst))")
          + " AS place FROM main.\(quoted(table)) AS a LEFT JOIN "
          + "(SELECT \(quoted(owner)) AS owner, max(\(quoted(order))) AS last FROM main.\(quoted(table)) "
          + "WHERE \(quoted(owner)) IS NOT NULL AND typeof(\(quoted(order))) = 'integer' GROUP BY 1) AS m "
          + "ON m.owner = a.\(quoted(owner)) "
          + "WHERE a.\(quoted(owner)) IS NOT NULL AND a.\(quoted(order)) IS NULL) AS x "
          + "WHERE main.\(quoted(table)).rowid = x.row"
      ])
  }
}
