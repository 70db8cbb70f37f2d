internal import DecantConsole
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Finds references to missing rows.
enum DanglingReferences {
  /// Looks up each reference by key.
  ///
  /// This takes as long as reading the store once more.
  static func find(in store: SourceStore, _ layout: StoreLayout) throws(StoreError) -> [Oddity] {
    var oddities: [Oddity] = []
    for (table, column, entity) in references(layout) {
      guard let target = layout.table(of: entity)?.name,
        store.schema.tables[table]?.contains(column) == true,
        store.schema.tables[target]?.contains("Z_PK") == true
      else { continue }
      let count = Int(
        try store.rows(
          "SELECT count(*) FROM \(quoted(table)) AS s WHERE s.\(quoted(column)) IS NOT NULL AND NOT EXISTS "
            + "(SELECT 1 FROM \(quoted(target)) AS t WHERE t.Z_PK = s.\(quoted(column)))"
        ).first?.first?.integer ?? 0)
      guard count > 0 else { continue }
      oddities.append(
        Oddity(
          .warning, .danglingReferences,
          "\(counted(count, "row")) of \(table) \(count == 1 ? "has" : "have") a dangling reference: \(column) names "
            + "objects that \(target) doesn't have."))
    }
    return oddities
  }

  private static func references(_ layout: StoreLayout) -> [(table: String, column: String, entity: String)] {
    func destination(_ property: StoreLayout.Property) -> String? {
      layout.model.relationship(property.name, of: property.entity)?.destinationEntityName
    }
    let toOne = layout.tables.flatMap { table in
      table.columns.compactMap { column -> (String, String, String)? in
        switch column.role {
        case .toOne(let property): destination(property).map { (table.name, column.name, $0) }
        case .owner(let property): (table.name, column.name, property.entity)
        default: nil
        }
      }
    }
    let joins = layout.joinTables.flatMap { join in
      [join.first, join.second].compactMap { end in
        destination(end.relationship).map { (join.name, end.column, $0) }
      }
    }
    return toOne + joins
  }
}
