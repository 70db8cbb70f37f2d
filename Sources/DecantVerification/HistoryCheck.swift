internal import DecantModel
internal import DecantSQLite

/// Checks the tables of persistent history and their rows of `Z_PRIMARYKEY` (docs/formats/core-data-sqlite.md 3.3 and
/// 8).
///
/// A migration may empty a history that it can't keep. Then all three tables are empty, and the report counts the
/// changes as expected. Kept rows must be equal, under the new entity numbers.
struct HistoryCheck {
  private let stores: StorePair

  init(_ stores: StorePair) {
    self.stores = stores
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    let tables = stores.source.historyTables
    let (isMissing, found) = compareTables(tables, &findings)
    try compareMarks(tables, found, &findings)
    guard !isMissing else { return }
    let changes = try found.contains(Self.changes) ? stores.count("FROM source.\(Self.changes)") : 0
    if !stores.lineage.isOneVersion, try rows(found, in: "main") == 0, try rows(found, in: "source") > 0 {
      findings.expect(.historyEmptied, entity: Self.changes, count: max(1, changes))
      return
    }
    for table in found { try compareRows(of: table, &findings) }
  }

  private static let changes = "ACHANGE"

  /// Compares the tables that a migration creates; tables of other programs are skipped.
  ///
  /// - Returns: Whether the destination lacks a table or a column, and the tables that both stores have.
  private func compareTables(
    _ tables: [String], _ findings: inout Findings
  ) -> (isMissing: Bool, found: [String]) {
    var isMissing = false
    var found: [String] = []
    for table in tables {
      let columns = Set(stores.source.schema.tables[table] ?? [])
      guard let present = stores.destination.schema.tables[table].map(Set.init) else {
        let isCarried = stores.source.historyStatements.contains { $0.hasPrefix("CREATE TABLE \(table) (") }
        guard isCarried || stores.lineage.isOneVersion else { continue }
        findings.add(.missingTable, name: table)
        isMissing = true
        continue
      }
      for column in columns.subtracting(present).sorted() {
        findings.add(.missingColumn, name: "\(table).\(column)")
        isMissing = true
      }
      for column in present.subtracting(columns).sorted() {
        findings.add(.surplusColumn, name: "\(table).\(column)")
      }
      found.append(table)
    }
    return (isMissing, found)
  }

  private func rows(_ tables: [String], in database: String) throws(SQLiteError) -> Int {
    var rows = 0
    for table in tables { rows += try stores.count("FROM \(database).\(table)") }
    return rows
  }

  /// Compares sets of whole rows, because the keys of these tables may not be unique.
  private func compareRows(of table: String, _ findings: inout Findings) throws(SQLiteError) {
    let columns = (stores.source.schema.tables[table] ?? []).sorted()
    let names = columns.map(quoted).joined(separator: ", ")
    let isChanged = table == Self.changes && columns.contains("ZENTITY") && !stores.lineage.isOneVersion
    let pairs = stores.lineage.pairs
    let values = columns.map { isChanged && $0 == "ZENTITY" ? renumbering(pairs) : quoted($0) }
      .joined(separator: ", ")
    let living = isChanged ? "ZENTITY IN \(pairs.map { stores.sourceNumber($0.source) }.list)" : "1"
    let before = "SELECT \(values) FROM source.\(table) WHERE \(living)"
    let after = "SELECT \(names) FROM main.\(table)"
    let key = columns.firstIndex(of: "Z_PK").map { $0 + 1 }
    try note(.lostHistory, table, "\(before) EXCEPT \(after)", key: key, &findings)
    try note(.surplusHistory, table, "\(after) EXCEPT \(before)", key: key, &findings)
    guard isChanged else { return }
    findings.expect(
      .historyGone, entity: table,
      count: try stores.count("FROM source.\(table) WHERE NOT ifnull(\(living), 0)"))
  }

  private func note(
    _ kind: Verification.Difference.Kind, _ table: String, _ query: String, key: Int?,
    _ findings: inout Findings
  ) throws(SQLiteError) {
    let count = try stores.count("FROM (\(query))")
    guard count > 0 else { return }
    var examples: [String] = []
    if let key {
      examples = try stores.database.rows("\(query) ORDER BY \(key) LIMIT 5").map { row in
        row.indices.contains(key - 1) ? row[key - 1].integer.map(String.init) ?? "?" : "?"
      }
    }
    findings.add(kind, name: table, count: count, examples: examples)
  }

  private func renumbering(_ pairs: [Lineage.Pair]) -> String {
    guard !pairs.isEmpty else { return "NULL" }
    let branches = pairs.map {
      "WHEN \(stores.sourceNumber($0.source)) THEN \(stores.destinationNumber($0.destination))"
    }
    return "CASE ZENTITY \(branches.joined(separator: " ")) END"
  }

  /// A mark below the source's mark, or below a key of either store, would invalidate clients' tokens.
  private func compareMarks(
    _ tables: [String], _ found: [String], _ findings: inout Findings
  ) throws(SQLiteError) {
    guard !tables.isEmpty, stores.has("Z_ENT", "Z_NAME", "Z_MAX", in: "Z_PRIMARYKEY") else { return }
    let query = "SELECT Z_NAME, max(Z_MAX) FROM %.Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003 GROUP BY 1"
    let before = try stores.database.rows(query.replacing("%", with: "source"))
    let after = try stores.database.rows(query.replacing("%", with: "main"))
    if stores.lineage.isOneVersion, before == after { return }
    for row in before {
      guard case .text(let name) = row[0], let mark = after.first(where: { $0[0] == row[0] }) else { continue }
      var least = max(0, row[1].integer ?? 0)
      let table = "A" + name
      for (database, isThere) in [("source", tables.contains(table)), ("main", found.contains(table))]
      where isThere && stores.source.schema.tables[table]?.contains("Z_PK") == true {
        let largest = try stores.database.rows("SELECT max(Z_PK) FROM \(database).\(table)").first?.first
        least = max(least, largest?.integer ?? 0)
      }
      findings.add(mark: mark[1].integer ?? 0, least: least, name: name)
    }
  }
}
