package import DecantStore

/// What an inferred step changes in a copy of its source, instead of writing every table anew.
package struct Alteration: Sendable {
  package let tables: [AlteredTable]
  package let joins: [AlteredJoin]

  /// - Parameter isPlain: Whether a table of the store has the columns of the layout and nothing else.
  package init(_ work: StepWork, isPlain: (String) -> Bool) {
    let pairing = work.pairing
    tables = pairing.destination.tables.compactMap { AlteredTable($0, in: pairing) }
      .filter { isPlain($0.source.name) }
    var taken: Set<String> = []
    joins = pairing.destination.joinTables.compactMap { AlteredJoin($0, work.origin) }
      .filter { isPlain($0.source.name) && taken.insert($0.source.name).inserted }
  }

  package var reshaping: Reshaping { Reshaping(kept: tables.map(\.kept) + joins.map(\.kept)) }

  /// The table of the copy that becomes a destination table; `nil` if the destination table is written anew.
  func table(_ destination: String) -> AlteredTable? { tables.first { $0.destination.name == destination } }

  func join(_ destination: String) -> AlteredJoin? { joins.first { $0.destination.name == destination } }

  /// The entity tables of the source that stay.
  package var entityTables: [String] { tables.map(\.source.name) }

  /// Whether a destination table keeps all rows of its source table; their values may change.
  ///
  /// False if the destination table is written anew.
  package func keepsAllRows(_ table: String) -> Bool { self.table(table)?.losesRows == false }

  /// Whether every entity table and join table of the source stays, and no entity table has changes
  /// (`AlteredTable.extent`).
  ///
  /// If false, values may disappear from rows, and pages of the file may become free.
  package func keepsAllContent(of source: StoreLayout) -> Bool {
    tables.count == source.tables.count && joins.count == source.joinTables.count
      && tables.allSatisfy { $0.extent == .none }
  }

  /// The kept tables whose rows the pieces of work change, by their names in the destination.
  ///
  /// - Parameter work: The pieces of work of the step; those with a condition are ignored.
  package func changedTables(by work: [Work]) -> Set<String> {
    let statements = work.filter { $0.condition == nil }.flatMap(\.statements)
    return Set(statements.compactMap(Self.changedTable)).intersection(reshaping.kept.map(\.destination))
  }

  /// The table of an `UPDATE` or `DELETE` that begins as Decant writes it; `nil` for all other statements.
  package static func changedTable(by statement: String) -> String? {
    for start in ["UPDATE main.\"", "DELETE FROM main.\""] where statement.hasPrefix(start) {
      return String(statement.dropFirst(start.count).prefix { $0 != "\"" })
    }
    return nil
  }

  /// The tables of the source that stay, with the extent of the changes.
  ///
  /// - Parameter work: The pieces of work of the step; those with a condition are ignored.
  package func extents(_ work: [Work]) -> [(String, AlteredTable.Extent)] {
    let changed = changedTables(by: work)
    func extent(_ table: String, _ own: AlteredTable.Extent) -> AlteredTable.Extent {
      own == .none && changed.contains(table) ? .few : own
    }
    return tables.map { ($0.source.name, extent($0.destination.name, $0.extent)) }
      + joins.map { ($0.source.name, extent($0.destination.name, .none)) }
  }

  /// The parts of the step's digest that describe the alteration.
  package var digestParts: [String] {
    reshaping.kept.map { table in
      let columns = table.columns.map { "\($0.source)>\($0.destination)" }.joined(separator: " ")
      return "kept \(table.source)>\(table.destination) \(columns)"
    } + (tables.flatMap(\.work) + joins.flatMap(\.work)).flatMap(\.statements)
  }
}
