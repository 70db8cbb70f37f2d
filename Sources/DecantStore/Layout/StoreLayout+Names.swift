extension StoreLayout {
  /// The name of every table, with the names of its columns, each once.
  package var names: [(table: String, columns: [String])] {
    tables.map { ($0.name, $0.columns.map(\.name)) } + joinTables.map { ($0.name, $0.columnNames) }
  }

  /// The tables and columns that the layout has for a property, as errors show them: `table T`, `column T.C`.
  package func names(of property: Property) -> Set<String> {
    var names: Set<String> = []
    for table in tables {
      for column in table.columns where column.role.property == property {
        names.insert("column \(table.name).\(column.name)")
      }
    }
    for join in joinTables where [join.first.relationship, join.second.relationship].contains(property) {
      names.insert("table \(join.name)")
      names.formUnion(join.columnNames.map { "column \(join.name).\($0)" })
    }
    return names
  }

  /// The open points that explain why a store lacks these tables and columns.
  ///
  /// - Parameter missing: The missing names: `table T`, `column T.C`.
  /// - Returns: `nil` if a missing name is explained by no open point, or if no name is missing.
  package func openPoints(explaining missing: [String]) -> [Unsettled]? {
    let open = unsettled.filter { !names(of: $0.property).isDisjoint(with: missing) }
    let explained = open.reduce(into: Set<String>()) { $0.formUnion(names(of: $1.property)) }
    return !open.isEmpty && explained.isSuperset(of: missing) ? open : nil
  }
}

extension StoreLayout.JoinTable {
  /// The names of the columns, each once; a relationship that is its own inverse has only one end.
  fileprivate var columnNames: [String] {
    var seen: Set<String> = []
    return [first.column, second.column, first.orderColumn, second.orderColumn].compactMap { $0 }
      .filter { seen.insert($0).inserted }
  }
}

extension StoreLayout.Role {
  /// The property to which the column belongs; `nil` for `Z_PK`, `Z_ENT` and `Z_OPT`.
  var property: StoreLayout.Property? {
    switch self {
    case .key, .entity, .saves: nil
    case .attribute(let property), .toOne(let property), .toOneEntity(let property), .order(let property),
      .owner(let property):
      property
    }
  }
}
