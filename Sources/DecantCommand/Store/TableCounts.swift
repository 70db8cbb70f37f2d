internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Counts the rows of entities, join tables and tables of persistent history in a store, and lists the other tables.
struct TableCounts {
  private let store: SourceStore
  private let layout: StoreLayout?
  private static let depthLimit = 200
  /// The first number of the framework's own entities, such as those of persistent history.
  private static let firstSystemNumber = 16_000

  private(set) var entities: [StoreInspection.EntityRow] = []
  private(set) var entityTables: [String] = []
  private(set) var joinTables: [String: Int] = [:]
  private(set) var historyTables: [String: Int] = [:]
  private(set) var otherTables: [String] = []
  private(set) var oddities: [Oddity] = []

  private struct Row {
    let number: Int
    /// The name in `Z_PRIMARYKEY`.
    let name: String
    /// The name in the model, if it is known.
    let modelName: String
    let parent: Int
    let maximum: Int
  }

  /// - Parameter layout: The tables of the store's model, if it is known.
  init(_ store: SourceStore, layout: StoreLayout?) {
    self.store = store
    self.layout = layout
  }

  mutating func read() throws(StoreError) {
    let names = Dictionary((layout?.entityNumbers ?? [:]).map { ($0.value, $0.key) }) { min($0, $1) }
    var rows: [Int: Row] = [:]
    for row in try store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      guard case .text(let name) = row[1], let number = row[0].integer.flatMap({ Int(exactly: $0) }) else {
        continue
      }
      guard number < Self.firstSystemNumber || names[number] != nil else { continue }
      rows[number] = Row(
        number: number, name: name, modelName: names[number] ?? name, parent: Int(row[2].integer ?? 0),
        maximum: Int(row[3].integer ?? 0))
    }
    noteNames(rows)
    addMissing(&rows)
    let children = Dictionary(grouping: rows.values) { rows[$0.parent] == nil ? 0 : $0.parent }
    // Entities in a cycle have no root, so they are left out. Entities nested too deeply are left out, too.
    for root in (children[0] ?? []).sorted(by: { $0.number < $1.number }) {
      try readFamily(root, children)
    }
    let found = Set(entities.map(\.number))
    let missing = rows.values.filter { !found.contains($0.number) }
    if !missing.isEmpty {
      oddities.append(
        Oddity(
          .warning, .entityCycle,
          "Z_PRIMARYKEY has entities that are their own ancestors or are nested too deep: "
            + "\(Quantity.list(missing.map { "“\($0.name)”" }.sorted(), shown: 20))."))
    }
    try readOtherTables()
  }

  /// Compares names and numbers with those of the model, or of the metadata if there is no model
  /// (docs/formats/core-data-sqlite.md 9.4).
  private mutating func noteNames(_ rows: [Int: Row]) {
    guard let layout else {
      guard let hashes = store.metadata.versionHashes else { return }
      let unknown = rows.values.filter { hashes[$0.name] == nil }.map { "“\($0.name)”" }.sorted()
      if !unknown.isEmpty {
        oddities.append(
          Oddity(
            .note, .staleName,
            "Z_PRIMARYKEY has names that the metadata don't have, as after a rename: \(Quantity.list(unknown))."
          ))
      }
      return
    }
    for row in rows.values.sorted(by: { $0.number < $1.number }) {
      if let expected = layout.entityNumbers[row.name] {
        guard expected != row.number else { continue }
        oddities.append(
          Oddity(
            .refusal, .entityNumbers,
            "Entity “\(row.name)” has the number \(row.number) in Z_PRIMARYKEY, but \(expected) in the model."
          ))
      } else {
        oddities.append(
          Oddity(
            .note, .staleName,
            row.name == row.modelName
              ? "Z_PRIMARYKEY has an entity that the model doesn't have: “\(row.name)”, number \(row.number)."
              : "Z_PRIMARYKEY calls entity “\(row.modelName)” by an old name, “\(row.name)”."))
      }
    }
  }

  /// Adds the model's entities that `Z_PRIMARYKEY` lacks, so that their tables are counted.
  private mutating func addMissing(_ rows: inout [Int: Row]) {
    guard let layout else { return }
    var names: [String] = []
    for (name, number) in layout.entityNumbers where rows[number] == nil {
      let parent = layout.model.entity(named: name)?.superentityName
      // The entity may have a wrong number in Z_PRIMARYKEY, which is reported already.
      let misnumbered = rows.values.first { $0.name == name && $0.modelName == name }
      if let misnumbered { rows[misnumbered.number] = nil }
      rows[number] = Row(
        number: number, name: name, modelName: name, parent: parent.flatMap { layout.entityNumbers[$0] } ?? 0,
        maximum: misnumbered?.maximum ?? 0)
      if misnumbered == nil { names.append("“\(name)”") }
    }
    guard !names.isEmpty else { return }
    oddities.append(
      Oddity(
        .warning, .missingEntity,
        "Z_PRIMARYKEY doesn't have these entities of the model: \(Quantity.list(names.sorted())).")
    )
  }

  private mutating func readFamily(_ root: Row, _ children: [Int: [Row]]) throws(StoreError) {
    let wanted = "Z" + root.modelName.uppercased()
    var counts: [Int: Int] = [:]
    var unnumbered = 0
    if let table = store.schema.tables.keys.first(where: { $0.uppercased() == wanted }) {
      entityTables.append(table)
      let columns = store.schema.tables[table] ?? []
      guard columns.contains("Z_ENT"), columns.contains("Z_PK") else {
        oddities.append(
          Oddity(.refusal, .tablesOfAnotherVersion, "Table \(table) has no column Z_PK or Z_ENT."))
        add(root, parent: nil, depth: 0, &counts, children)
        return
      }
      var hasStrayKeys = false
      for row in try store.rows(
        "SELECT Z_ENT, count(*), max(Z_PK), min(Z_PK) FROM \(quoted(table)) GROUP BY Z_ENT")
      {
        if let number = row[0].integer {
          counts[Int(number), default: 0] += Int(row[1].integer ?? 0)
        } else {
          unnumbered += Int(row[1].integer ?? 0)
        }
        if let smallest = row[3].integer, smallest > 0 {} else { hasStrayKeys = true }
        if let largest = row[2].integer, largest > root.maximum {
          oddities.append(
            Oddity(
              .warning, .highWaterMark,
              "Table \(table) has the key \(largest), above the high-water mark \(root.maximum) in Z_PRIMARYKEY."
            ))
        }
      }
      if hasStrayKeys {
        oddities.append(
          Oddity(
            .refusal, .strayKeys, "Table \(table) has rows whose key (Z_PK) is not a whole number from 1 up."))
      }
    } else if layout?.table(of: root.modelName) != nil || layout == nil {
      oddities.append(
        Oddity(
          layout == nil ? .note : .refusal, .missingTable,
          "Entity “\(root.name)” has no table \(wanted)."))
    }
    add(root, parent: nil, depth: 0, &counts, children)
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      noteStrayRows(count, in: wanted, "of entity number \(number), which does not belong there")
    }
    if unnumbered > 0 { noteStrayRows(unnumbered, in: wanted, "without an entity number (Z_ENT)") }
  }

  private mutating func noteStrayRows(_ count: Int, in table: String, _ words: String) {
    oddities.append(
      Oddity(
        .refusal, .strayRows,
        "Table \(table) has \(counted(count, "row")) \(words). With strayRows: \"quarantine\" in family.json5 "
          + "the store is migrated without such rows."))
  }

  private mutating func add(
    _ row: Row, parent: Row?, depth: Int, _ counts: inout [Int: Int], _ children: [Int: [Row]]
  ) {
    let count = counts.removeValue(forKey: row.number) ?? 0
    let isAbstract = layout?.model.entity(named: row.modelName)?.isAbstract
    entities.append(
      .init(
        name: row.modelName, number: row.number, parent: parent?.modelName, depth: depth, rows: count,
        highestKey: parent == nil ? row.maximum : nil, isAbstract: isAbstract))
    if isAbstract == true, count > 0, let table = layout?.table(of: row.modelName)?.name {
      noteStrayRows(count, in: table, "of entity “\(row.modelName)”, which is abstract")
    }
    for child in (children[row.number] ?? []).sorted(by: { $0.number < $1.number })
    where row.number != 0 && depth < Self.depthLimit {
      add(child, parent: row, depth: depth + 1, &counts, children)
    }
  }

  private mutating func readOtherTables() throws(StoreError) {
    let history = store.historyTables
    let joins = layout.map { Set($0.joinTables.map(\.name)) }
    let known = Set(entityTables)
    for table in store.schema.tables.keys.sorted() {
      if known.contains(table) || table.hasPrefix("sqlite_")
        || SystemTable.names.contains(table)
      {
        continue
      }
      let looksLikeJoin = table.hasPrefix("Z_") && table.dropFirst(2).first?.isNumber == true
      let isJoin = joins?.contains(table) ?? looksLikeJoin
      guard isJoin || history.contains(table) else {
        otherTables.append(table)
        continue
      }
      let count = try store.rows("SELECT count(*) FROM \(quoted(table))").first?.first?.integer ?? 0
      if isJoin { joinTables[table] = Int(count) } else { historyTables[table] = Int(count) }
    }
  }
}
