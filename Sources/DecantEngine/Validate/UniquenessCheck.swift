internal import DecantModel
package import DecantPasses
internal import DecantSQLite
package import DecantStore

/// Finds values that would break a uniqueness constraint of the destination.
package struct UniquenessCheck {
  private let layout: StoreLayout
  /// The pairing whose source rows can be checked before the step; `nil` for a filled destination.
  private let pairing: EntityPairing?

  package init(_ pairing: EntityPairing) {
    self.pairing = pairing
    layout = pairing.destination
  }

  /// For a filled destination.
  init(of layout: StoreLayout) {
    pairing = nil
    self.layout = layout
  }

  /// Checks a source before a row is written, with the expressions that will fill the columns.
  ///
  /// Only constraints over attributes are checked here.
  ///
  /// - Parameter externalFolder: The folder of the source's external files. A column may take their contents.
  /// - Throws: `StepFailure.duplicates`, `SQLiteError`.
  package func check(_ source: SourceStore, externalFolder: String) throws {
    guard let pairing, layout.model.entities.contains(where: { !$0.uniquenessConstraints.isEmpty }) else {
      return
    }
    let database = try SQLiteDatabase(source.readPath, mode: .immutable)
    try ExternalDataFunction.register(in: database, folder: externalFolder)
    try database.attachImmutable(source.readPath, as: "source")
    try check(database) { table, columns in
      let pairs = pairing.pairs(intoFamilyOf: table.rootEntity)
      guard let first = pairs.first, let from = pairing.source.table(of: first.source) else { return nil }
      let expressions = ColumnExpressions(pairing, pairs: pairs, sourceTable: from)
      let values = columns.compactMap { name in
        table.columns.first { $0.name == name }.flatMap { column -> String? in
          // A reference may be dangling. Then the step clears it, so a duplicate isn't certain yet.
          if case .attribute = column.role {
            expressions.expression(for: column).map { "\($0) AS \(quoted(name))" }
          } else {
            nil
          }
        }
      }
      guard values.count == columns.count else { return nil }
      return "(SELECT \(values.joined(separator: ", ")) FROM source.\(quoted(from.name)) AS s WHERE s.Z_ENT IN "
        + "(\(pairs.map { String($0.sourceNumber) }.joined(separator: ", "))))"
    }
  }

  /// Checks the filled tables of a destination before SQLite refuses the index.
  func check(_ destination: SQLiteDatabase) throws {
    try check(destination) { table, _ in "main.\(quoted(table.name))" }
  }

  /// - Parameter rows: Gives SQL for the rows with the columns of a constraint. `nil` if they aren't known yet.
  private func check(
    _ database: SQLiteDatabase, in rows: (StoreLayout.Table, [String]) -> String?
  ) throws {
    for entity in layout.model.entities {
      for constraint in entity.uniquenessConstraints {
        guard let table = layout.table(of: entity.name),
          let columns = layout.columns(of: constraint, in: entity.name),
          let rows = rows(table, columns)
        else { continue }
        let names = columns.map(quoted).joined(separator: ", ")
        let present = columns.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let groups =
          "SELECT \(names), count(*) AS n FROM \(rows) WHERE \(present) GROUP BY \(names) HAVING n > 1"
        let count = try database.integer("SELECT count(*) FROM (\(groups))")
        guard count > 0 else { continue }
        let example = try database.rows("\(groups) LIMIT 1").first?.dropLast().map(Self.words) ?? []
        throw StepFailure.duplicates(
          entity: entity.name, constraint: constraint, count: count, example: example.joined(separator: " + "))
      }
    }
  }

  private static func words(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "“\(text.prefix(60))”"
    case .blob(let data): counted(data.count, "byte")
    }
  }
}
