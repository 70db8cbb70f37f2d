internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Compares tables, columns, indexes, triggers and `Z_PRIMARYKEY` of the destination with its model.
struct SchemaCheck {
  private let stores: StorePair

  init(_ stores: StorePair) {
    self.stores = stores
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    let wanted = try SchemaShape(stores.statements)
    let found = try SchemaShape(of: stores.database)
    let history = stores.source.historyTables
    // An unchanged store keeps its schema, which may be from an older framework.
    let isKept = stores.lineage.isOneVersion ? try SchemaShape(of: stores.source.database) == found : false
    findings.compared.tables = wanted.tables.count
    findings.compared.indexes = wanted.indexes.count
    if !isKept {
      compareTables(wanted, found, history, &findings)
      compareIndexes(wanted, found, history, &findings)
      compareTriggers(wanted, found, &findings)
    }
    try compareEntityTable(&findings)
  }

  private func compareTables(
    _ wanted: SchemaShape, _ found: SchemaShape, _ history: [String], _ findings: inout Findings
  ) {
    for table in wanted.tables.keys.sorted() {
      guard let columns = found.tables[table], let expected = wanted.tables[table] else {
        findings.add(.missingTable, name: table)
        continue
      }
      for (column, type) in expected.sorted(by: { $0.key < $1.key }) {
        guard let actual = columns[column] else {
          findings.add(.missingColumn, name: "\(table).\(column)")
          continue
        }
        if actual != type {
          findings.add(.changedColumn, name: "\(table).\(column)", examples: ["\(actual) instead of \(type)"])
        }
      }
      for column in columns.keys.sorted() where expected[column] == nil {
        findings.add(.surplusColumn, name: "\(table).\(column)")
      }
    }
    for table in found.tables.keys.sorted() where wanted.tables[table] == nil && !history.contains(table) {
      findings.add(.surplusTable, name: table)
    }
  }

  private func compareIndexes(
    _ wanted: SchemaShape, _ found: SchemaShape, _ history: [String], _ findings: inout Findings
  ) {
    for (name, index) in wanted.indexes.sorted(by: { $0.key < $1.key }) {
      guard let actual = found.indexes[name] else {
        // A missing table is reported already.
        if found.tables[index.table] != nil { findings.add(.missingIndex, name: name) }
        continue
      }
      if actual != index {
        let columns = actual.columns.joined(separator: ", ")
        findings.add(
          .changedIndex, name: name,
          examples: ["\(actual.isUnique ? "unique " : "")on \(actual.table) (\(columns))"])
      }
    }
    for (name, index) in found.indexes.sorted(by: { $0.key < $1.key })
    where wanted.indexes[name] == nil && wanted.tables[index.table] != nil && !history.contains(index.table) {
      findings.add(.surplusIndex, name: name)
    }
  }

  private func compareTriggers(_ wanted: SchemaShape, _ found: SchemaShape, _ findings: inout Findings) {
    for (name, text) in wanted.triggers.sorted(by: { $0.key < $1.key }) {
      guard let actual = found.triggers[name] else {
        findings.add(.missingTrigger, name: name)
        continue
      }
      if actual != text { findings.add(.changedTrigger, name: name) }
    }
    for name in found.triggers.keys.sorted() where wanted.triggers[name] == nil {
      findings.add(.surplusTrigger, name: name)
    }
  }

  /// Checks the rows of `Z_PRIMARYKEY`, and finds high-water marks below a key or below the source's mark.
  private func compareEntityTable(_ findings: inout Findings) throws(SQLiteError) {
    guard stores.has("Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX", in: "Z_PRIMARYKEY") else { return }
    let query = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM %.Z_PRIMARYKEY ORDER BY Z_ENT"
    let rows = try stores.database.rows(query.replacing("%", with: "main"))
    let sourceRows = try stores.database.rows(query.replacing("%", with: "source"))
    var wanted = PrimaryKeyRow.rows(of: stores.destinationLayout).map { row -> [SQLiteValue] in
      [.integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber))]
    }
    // Rows of persistent history are kept; an unchanged store keeps all rows.
    if !stores.source.historyTables.isEmpty {
      wanted += sourceRows.filter { (16_001...16_003).contains($0[0].integer ?? 0) }.map { Array($0.prefix(3)) }
    }
    if stores.lineage.isOneVersion, rows == sourceRows { return }
    let actual = rows.map { Array($0.prefix(3)) }
    for row in wanted where !actual.contains(row) {
      findings.add(.entityTable, name: Self.name(row), examples: ["missing"])
    }
    for row in actual where !wanted.contains(row) {
      findings.add(.entityTable, name: Self.name(row), examples: ["surplus"])
    }
    for table in stores.destinationLayout.tables where stores.has("Z_PK", in: table.name) {
      let number = Int64(stores.destinationNumber(table.rootEntity))
      let mark = rows.first { $0[0] == .integer(number) }?[3].integer ?? 0
      var least = Int64(try stores.database.integer("SELECT max(Z_PK) FROM main.\(quoted(table.name))"))
      for pair in stores.pairs(into: table.rootEntity) {
        guard let root = stores.lineage.source.root(of: pair.source) else { continue }
        let former = sourceRows.first { $0[0] == .integer(Int64(stores.sourceNumber(root.name))) }?[3].integer
        least = max(least, former ?? 0)
      }
      findings.add(mark: mark, least: least, entity: table.rootEntity)
    }
  }

  private static func name(_ row: [SQLiteValue]) -> String {
    row.map { value in
      switch value {
      case .integer(let number): String(number)
      case .text(let text): text
      default: "?"
      }
    }.joined(separator: "|")
  }
}
