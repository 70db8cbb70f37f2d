internal import DecantConsole
internal import DecantModel
internal import DecantStore

/// Compares a store's indexes with those of its model (docs/formats/core-data-sqlite.md 5, 9.2).
struct IndexOddities {
  private(set) var all: [Oddity] = []

  /// The table and columns of an index, without its name.
  private struct Subject: Hashable {
    let table: String
    let columns: String
    let isUnique: Bool
  }

  init(_ store: SourceStore, layout: StoreLayout) {
    // If a name is an open point (docs/formats/core-data-sqlite.md 13), no comparison is possible.
    guard let statements = try? SchemaStatements(layout).indexes else { return }
    let expected = Self.indexes(statements)
    let tables = Set(layout.tables.map(\.name) + layout.joinTables.map(\.name))
    let found = Self.indexes(Array(store.statements.values)).filter { tables.contains($0.value.table) }
    var absent = expected.filter { found[$0.key] == nil }
    let known = Set(expected.values)
    var renamed: [String] = []
    var surplus: [String] = []
    for (name, subject) in found.sorted(by: { $0.key < $1.key }) where expected[name] != subject {
      if known.contains(subject) {
        // If the proper index is missing, this index takes its place.
        if let match = absent.first(where: { $0.value == subject }) { absent[match.key] = nil }
        renamed.append(name)
      } else if expected[name] == nil {
        surplus.append(name)
      } else {
        surplus.append("\(name) (on other columns)")
      }
    }
    add(.indexUnderOldName, renamed, "has an old name", "have old names")
    add(.indexSurplus, surplus, "matches no index of the model", "match no index of the model")
    add(.indexMissing, absent.keys.sorted(), "of the model is missing", "of the model are missing")
  }

  private mutating func add(_ kind: Oddity.Kind, _ names: [String], _ one: String, _ several: String) {
    guard !names.isEmpty else { return }
    all.append(
      Oddity(
        .note, kind,
        "\(counted(names.count, "index \(one)", "indexes \(several)")): \(Quantity.list(names))."))
  }

  /// The indexes of `CREATE [UNIQUE] INDEX name ON table (columns)` statements, by name; names may have quotes.
  private static func indexes(_ statements: [String]) -> [String: Subject] {
    var indexes: [String: Subject] = [:]
    for statement in statements {
      let text = statement.replacing("\"", with: "")
      let isUnique = text.hasPrefix("CREATE UNIQUE INDEX ")
      guard isUnique || text.hasPrefix("CREATE INDEX "), let on = text.firstRange(of: " ON "),
        let open = text[on.upperBound...].firstIndex(of: "(")
      else { continue }
      let name = text[..<on.lowerBound].dropFirst(isUnique ? 20 : 13)
      let table = text[on.upperBound..<open].filter { $0 != " " }
      indexes[String(name)] = Subject(
        table: String(table), columns: text[open...].split(separator: " ").joined(separator: " "),
        isUnique: isUnique)
    }
    return indexes
  }
}
