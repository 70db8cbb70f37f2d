package import DecantModel

extension SourceStore {
  /// The layout of this store for its model version; the store's own tables settle open names.
  ///
  /// - Parameters:
  ///   - version: The version's name, for messages.
  ///   - acceptsCloudKit: Whether the store may have tables of CloudKit's mirroring.
  /// - Throws: `StoreError` if the model can't be laid out, or if the store's tables or entity numbers don't fit the
  ///   model. See also `blamingSibling`.
  package func layout(
    for model: ManagedObjectModel, version: String, acceptsCloudKit: Bool = false
  ) throws(StoreError) -> StoreLayout {
    try layout(version: version, acceptsCloudKit: acceptsCloudKit) { framework, schema throws(LayoutError) in
      try StoreLayout(model, framework: framework, evidence: schema)
    }
  }

  /// The same layout, made by a closure, which may return a cached layout.
  package func layout(
    version: String, acceptsCloudKit: Bool,
    making make: (FrameworkVersion, SchemaEvidence) throws(LayoutError) -> StoreLayout
  ) throws(StoreError) -> StoreLayout {
    try blamingSibling { store throws(StoreError) in
      try store.ownLayout(version: version, acceptsCloudKit: acceptsCloudKit, making: make)
    }
  }

  private func ownLayout(
    version: String, acceptsCloudKit: Bool,
    making make: (FrameworkVersion, SchemaEvidence) throws(LayoutError) -> StoreLayout
  ) throws(StoreError) -> StoreLayout {
    let layout: StoreLayout
    do {
      layout = try make(metadata.framework ?? .current, schema)
    } catch {
      throw .unsupportedModel(path: path, version: version, reason: error.description)
    }
    let missing = missingNames(layout)
    if let open = layout.openPoints(explaining: missing) {
      throw .unsettledTables(path: path, version: version, open: open)
    }
    guard missing.isEmpty else { throw .tablesOfAnotherVersion(path: path, version: version, missing: missing) }
    try checkSurplus(layout, acceptsCloudKit: acceptsCloudKit)
    let keyless = try told.tablesWithoutRowID { () throws(StoreError) in try tablesWithoutRowID() }
    guard keyless.isEmpty else { throw .withoutRowID(path: path, tables: keyless) }
    try checkEntityNumbers(layout)
    return layout
  }

  /// Tables whose `rowid` can't be used to read pairs and references.
  ///
  /// These are tables WITHOUT ROWID, and entity tables whose `Z_PK` is not the rowid (`INTEGER PRIMARY KEY`;
  /// docs/formats/core-data-sqlite.md 2).
  package func tablesWithoutRowID() throws(StoreError) -> [String] {
    // A primary key that is not the rowid has an index.
    let isNumbered =
      "(SELECT count(*) FROM pragma_table_info(l.name, 'main') WHERE pk > 0) = 1 "
      + "AND EXISTS (SELECT 1 FROM pragma_table_info(l.name, 'main') WHERE pk > 0 AND upper(name) = 'Z_PK') "
      + "AND NOT EXISTS (SELECT 1 FROM pragma_index_list(l.name, 'main') WHERE origin = 'pk')"
    let hasKey =
      "EXISTS (SELECT 1 FROM pragma_table_info(l.name, 'main') WHERE upper(name) = 'Z_PK')"
    return try rows(
      "SELECT l.name FROM pragma_table_list AS l WHERE l.schema = 'main' AND (l.wr <> 0 "
        + "OR (l.type = 'table' AND l.name LIKE 'Z%' AND \(hasKey) AND NOT (\(isNumbered)))) ORDER BY l.name"
    ).compactMap {
      if case .text(let name)? = $0.first { name } else { nil }
    }
  }

  /// The store's tables of CloudKit's mirroring (docs/formats/core-data-sqlite.md 14).
  package var cloudKitTables: [String] { schema.tables.keys.filter { $0.hasPrefix("ANSCK") }.sorted() }

  /// The store's tables of persistent history (docs/formats/core-data-sqlite.md 8).
  package var historyTables: [String] { Self.historyTableNames.filter { schema.tables[$0] != nil } }

  /// The statements of the tables of persistent history and of their indexes, if they have Core Data's plain form.
  package var historyStatements: [String] {
    let tables = historyTables.compactMap { name in
      statements[name].flatMap { $0.hasPrefix("CREATE TABLE \(name) (") ? $0 : nil }
    }
    let indexes = statements.filter { name, text in
      historyTables.contains { table in
        ["INDEX", "UNIQUE INDEX"].contains { text.hasPrefix("CREATE \($0) \(name) ON \(table) (") }
      }
    }
    return (tables + indexes.values.sorted()).filter(Self.isPlain)
  }

  /// Whether a statement has only names, types and brackets: no expression that SQLite would evaluate.
  private static func isPlain(_ statement: String) -> Bool {
    let words = statement.split { !$0.isLetter && $0 != "_" && !$0.isNumber }.map { $0.uppercased() }
    return statement.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789_ ,()".unicodeScalars.contains($0)
    }
      && Set(words).isDisjoint(with: [
        "CHECK", "AS", "DEFAULT", "GENERATED", "TRIGGER", "VIEW", "REFERENCES", "WHERE",
      ])
  }

  /// The names of all tables that persistent history may have.
  package static let historyTableNames = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// The tables and columns of a layout that the store lacks: `table T`, `column T.C`.
  package func missingNames(_ layout: StoreLayout) -> [String] {
    layout.names.flatMap { table, columns -> [String] in
      guard let existing = schema.tables[table] else { return ["table \(table)"] }
      // Most tables have exactly the layout's columns, in the same order. Then nothing is missing.
      if existing == columns { return [] }
      let present = Set(existing.map { $0.uppercased() })
      return columns.filter { !present.contains($0.uppercased()) }.map { "column \(table).\($0)" }
    }
  }

  private func checkSurplus(_ layout: StoreLayout, acceptsCloudKit: Bool) throws(StoreError) {
    let known =
      Set(layout.tables.map(\.name) + layout.joinTables.map(\.name) + Self.historyTableNames)
      .union(SystemTable.names)
    // Names are compared by bytes: for SQLite, texts in different Unicode normal forms are different names.
    let names = Set(known.map { Array($0.utf8) })
    let surplus = schema.tables.keys.filter { !names.contains(Array($0.utf8)) && !$0.hasPrefix("sqlite_") }
      .sorted()
    let cloudKit = cloudKitTables
    guard cloudKit.isEmpty || acceptsCloudKit else { throw .cloudKit(path: path, tables: cloudKit) }
    let unknown = surplus.filter { !$0.hasPrefix("ANSCK") }
    guard unknown.isEmpty else { throw .unknownTables(path: path, tables: unknown) }
  }

  /// Checks the entity numbers in `Z_PRIMARYKEY`.
  ///
  /// An entity that the model doesn't have is accepted (docs/formats/core-data-sqlite.md 9.4). If the model has the
  /// entity, another number than the model's is an error.
  private func checkEntityNumbers(_ layout: StoreLayout) throws(StoreError) {
    for row in try rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      guard case .integer(let number) = row[0], case .text(let name) = row[1],
        let expected = layout.entityNumbers[name], Int64(expected) != number
      else { continue }
      throw .entityNumbers(path: path, entity: name, expected: expected, found: String(number))
    }
  }
}
