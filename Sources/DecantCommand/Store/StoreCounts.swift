internal import DecantStore

/// Counts the rows of every table of a store and says which table is what.
struct StoreCounts {
  private let store: SourceStore
  private static let depthLimit = 200
  private(set) var entities: [StoreInspection.EntityRow] = []
  private(set) var entityTables: [String] = []
  private(set) var joinTables: [String: Int] = [:]
  private(set) var historyTables: [String: Int] = [:]
  private(set) var otherTables: [String] = []
  private(set) var warnings: [String] = []

  private struct Row {
    let number: Int
    let name: String
    let parent: Int
    let maximum: Int
  }

  init(_ store: SourceStore) {
    self.store = store
  }

  mutating func read() throws {
    var rows: [Int: Row] = [:]
    for row in try store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      guard case .text(let name) = row[1], let number = row[0].integer else { continue }
      rows[Int(number)] = Row(
        number: Int(number), name: name, parent: Int(row[2].integer ?? 0), maximum: Int(row[3].integer ?? 0))
    }
    let children = Dictionary(grouping: rows.values) { rows[$0.parent] == nil ? 0 : $0.parent }
    // Entities that are their own ancestors are nobody's descendants and left out, and so is what no model nests.
    for root in (children[0] ?? []).sorted(by: { $0.number < $1.number }) {
      try readFamily(root, children)
    }
    let found = Set(entities.map(\.number))
    let missing = rows.values.filter { !found.contains($0.number) }
    if !missing.isEmpty {
      warnings.append(
        "Z_PRIMARYKEY has entities that are their own ancestors or nested too deep: "
          + missing.map { "“\($0.name)”" }.sorted().prefix(20).joined(separator: ", ") + ".")
    }
    try readOtherTables()
  }

  private mutating func readFamily(_ root: Row, _ children: [Int: [Row]]) throws {
    let wanted = "Z" + root.name.uppercased()
    var counts: [Int: Int] = [:]
    if let table = store.schema.tables.keys.first(where: { $0.uppercased() == wanted }) {
      entityTables.append(table)
      for row in try store.rows("SELECT Z_ENT, count(*), max(Z_PK) FROM \(quoted(table)) GROUP BY Z_ENT") {
        counts[Int(row[0].integer ?? -1)] = Int(row[1].integer ?? 0)
        if let largest = row[2].integer, largest > root.maximum {
          warnings.append(
            "Table \(table) has the key \(largest), above the high-water mark \(root.maximum) in Z_PRIMARYKEY.")
        }
      }
    } else {
      warnings.append("Entity “\(root.name)” has no table \(wanted).")
    }
    add(root, parent: nil, depth: 0, &counts, children)
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      warnings.append(
        "Table \(wanted) has \(Quantity.count(count, "row")) of entity number \(number), which does not belong there."
      )
    }
  }

  private mutating func add(
    _ row: Row, parent: Row?, depth: Int, _ counts: inout [Int: Int], _ children: [Int: [Row]]
  ) {
    entities.append(
      .init(
        name: row.name, number: row.number, parent: parent?.name, depth: depth,
        rows: counts.removeValue(forKey: row.number) ?? 0, highestKey: parent == nil ? row.maximum : nil))
    for child in (children[row.number] ?? []).sorted(by: { $0.number < $1.number })
    where row.number != 0 && depth < Self.depthLimit {
      add(child, parent: row, depth: depth + 1, &counts, children)
    }
  }

  private mutating func readOtherTables() throws {
    let history = store.historyTables
    for table in store.schema.tables.keys.sorted() {
      if entityTables.contains(table) || table.hasPrefix("sqlite_")
        || ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains(table)
      {
        continue
      }
      let isJoin = table.hasPrefix("Z_") && table.dropFirst(2).first?.isNumber == true
      guard isJoin || history.contains(table) else {
        otherTables.append(table)
        continue
      }
      let count = try store.rows("SELECT count(*) FROM \(quoted(table))").first?.first?.integer ?? 0
      if isJoin { joinTables[table] = Int(count) } else { historyTables[table] = Int(count) }
    }
  }
}
