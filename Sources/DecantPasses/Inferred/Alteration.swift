package import DecantStore

/// What an inferred step changes in a copy of its source, in place of writing every table anew.
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

  /// The table of the copy that a destination table continues; `nil` if it is written anew.
  func table(_ destination: String) -> AlteredTable? { tables.first { $0.destination.name == destination } }

  func join(_ destination: String) -> AlteredJoin? { joins.first { $0.destination.name == destination } }

  /// The tables of the destination that stay, and whose rows no statement changes.
  ///
  /// - Parameter work: The work that fills the tables.
  package func untouched(by work: [Work]) -> Set<String> {
    let changed = Set(work.flatMap(\.statements).compactMap(Self.changedTable))
    return Set(reshaping.kept.map(\.destination)).subtracting(changed)
  }

  /// The table whose rows a statement changes.
  private static func changedTable(_ statement: String) -> String? {
    for start in ["UPDATE main.\"", "DELETE FROM main.\""] where statement.hasPrefix(start) {
      return String(statement.dropFirst(start.count).prefix { $0 != "\"" })
    }
    return nil
  }

  /// The tables of the source whose rows stay, with the extent of the changes.
  package var extents: [(table: String, extent: AlteredTable.Extent)] {
    tables.map { ($0.source.name, $0.extent) } + joins.map { ($0.source.name, .none) }
  }

  /// What the digest of the step's inputs takes from it.
  package var digestParts: [String] {
    reshaping.kept.map { table in
      let columns = table.columns.map { "\($0.source)>\($0.destination)" }.joined(separator: " ")
      return "kept \(table.source)>\(table.destination) \(columns)"
    } + (tables.flatMap(\.work) + joins.flatMap(\.work)).flatMap(\.statements)
  }
}
