internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// The statements that copy one mapping's associations from a working file into an association file.
struct KeptRows {
  private let program: any StepProgram
  private let mapping: KeptMapping
  private let isComplete: Bool
  private let step: Int
  private let schema: String

  /// - Parameter isComplete: Whether the mapping's destination entity is in `StepCounts.complete`.
  init(_ program: any StepProgram, _ mapping: KeptMapping, isComplete: Bool, step: Int, schema: String) {
    self.program = program
    self.mapping = mapping
    self.isComplete = isComplete
    self.step = step
    self.schema = schema
  }

  var statements: [String] {
    guard let source = program.source.table(of: mapping.source),
      let destination = program.destination.table(of: mapping.destination),
      let from = program.source.entityNumbers[mapping.source],
      let to = program.destination.entityNumbers[mapping.destination]
    else { return [] }
    guard program.workTables[Associations.runs] != nil else {
      // In an inferred step every object keeps its key. Keys without gaps are one run, so no row has to be numbered.
      let rows = "FROM main.\(quoted(destination.name)) WHERE Z_ENT = \(to)"
      let all = "SELECT min(Z_PK) AS first, max(Z_PK) AS last, count(*) AS rows \(rows)"
      return [
        insertRuns(
          "WITH whole AS MATERIALIZED (\(all)) SELECT first, rows, first FROM whole WHERE last - first + 1 = rows "
            + "UNION ALL SELECT min(key), count(*), min(key) FROM (SELECT Z_PK AS key, "
            + "Z_PK - row_number() OVER (ORDER BY Z_PK) AS island \(rows) "
            + "AND (SELECT last - first + 1 <> rows FROM whole)) GROUP BY island")
      ]
    }
    let runs = "FROM main.\(Associations.runs) AS r WHERE mapping = \(mapping.number)"
    guard mapping.way == .rows else {
      return [
        insertRuns("SELECT first, length, destination \(runs)"),
        "INSERT INTO \(schema).shared SELECT \(step), mapping, first, objects, destinations "
          + "FROM main.\(Associations.shared) WHERE mapping = \(mapping.number) ORDER BY first",
      ]
    }
    // Policies may associate objects of other entities than the mapping's, and delete associated objects.
    let isOfSource =
      program.source.entityNumbers(inFamilyOf: source.rootEntity).count == 1
      ? ""
      : "length = (SELECT count(*) FROM source.\(quoted(source.name)) AS s WHERE s.Z_PK >= r.first "
        + "AND s.Z_PK < r.first + r.length AND s.Z_ENT = \(from)) AND "
    let isThere =
      isComplete
      ? "length > 0"
      : "length = (SELECT count(*) FROM main.\(quoted(destination.name)) AS d "
        + "WHERE d.Z_PK >= r.destination AND d.Z_PK < r.destination + r.length AND d.Z_ENT = \(to))"
    let isOwn = "(\(isOfSource)\(isThere))"
    let others =
      "WITH RECURSIVE one (source, destination, rest) AS (SELECT r.first, r.destination, r.length \(runs) "
      + "AND NOT EXISTS (SELECT 1 FROM \(schema).runs AS k WHERE k.step = \(step) AND k.mapping = r.mapping "
      + "AND k.first = r.first AND k.destination = r.destination) "
      + "UNION ALL SELECT source + 1, destination + 1, rest - 1 FROM one WHERE rest > 1) "
      + "SELECT source, destination FROM one"
    let families = program.destination.tables.compactMap { table -> String? in
      guard let root = program.destination.entityNumbers[table.rootEntity] else { return nil }
      return insertPairs(
        "SELECT source, destination FROM main.\(Associations.pairs) WHERE mapping = \(mapping.number) "
          + "AND root = \(root)", source, table)
    }
    return [insertRuns("SELECT first, length, destination \(runs) AND \(isOwn)")]
      + [insertPairs(others, source, destination)] + families
  }

  private func insertRuns(_ runs: String) -> String {
    "INSERT INTO \(schema).runs SELECT \(step), \(mapping.number), * FROM (\(runs)) ORDER BY 1, 2, 3"
  }

  /// Inserts pairs with the names of their objects' own entities.
  private func insertPairs(
    _ pairs: String, _ source: StoreLayout.Table, _ destination: StoreLayout.Table
  ) -> String {
    "INSERT OR IGNORE INTO \(schema).pairs SELECT \(step), \(mapping.number), "
      + "\(name(of: "s.Z_ENT", in: program.source, source)), p.source, "
      + "\(name(of: "d.Z_ENT", in: program.destination, destination)), p.destination FROM (\(pairs)) AS p "
      + "JOIN source.\(quoted(source.name)) AS s ON s.Z_PK = p.source "
      + "JOIN main.\(quoted(destination.name)) AS d ON d.Z_PK = p.destination"
  }

  private func name(of number: String, in layout: StoreLayout, _ table: StoreLayout.Table) -> String {
    let branches = layout.model.family(of: table.rootEntity).compactMap { entity in
      layout.entityNumbers[entity.name].map { "WHEN \($0) THEN \(SQLLiteral.string(entity.name))" }
    }
    return "CASE \(number) \(branches.joined(separator: " ")) ELSE '' END"
  }
}
