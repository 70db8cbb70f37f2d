extension StoreLayout {
  /// The columns of each index of an entity table, as the layout's statements have them.
  ///
  /// Uniqueness constraints are included. The list is empty if a name is unsettled.
  package func indexColumns() -> [(table: String, columns: [String])] {
    guard let statements = try? SchemaStatements(self) else { return [] }
    var indexes: [(table: String, columns: [String])] = []
    let joins = Set(joinTables.map(\.name))
    for statement in statements.indexes {
      guard let on = statement.firstRange(of: " ON ") else { continue }
      let rest = statement[on.upperBound...]
      let table = String(rest.prefix { $0 != " " })
      guard !joins.contains(table), let columns = Self.columns(in: rest) else { continue }
      indexes.append((table, columns))
    }
    for table in tables {
      indexes += UniquenessConstraints.clauses(for: table, layout: self).compactMap { clause in
        Self.columns(in: clause[...]).map { (table.name, $0) }
      }
    }
    return indexes
  }

  /// The first word of each item in the first parentheses.
  private static func columns(in text: Substring) -> [String]? {
    guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return nil }
    return text[text.index(after: open)..<close].split(separator: ",").map { part in
      String(part.drop { $0 == " " }.prefix { $0 != " " })
    }
  }
}
