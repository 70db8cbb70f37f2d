internal import DecantSQLite
internal import DecantStore

/// The tables and indexes of a database as SQLite parses them, and the triggers' statements.
struct SchemaShape: Equatable {
  struct Index: Hashable {
    let table: String
    let isUnique: Bool
    /// Each column with its direction and collation.
    let columns: [String]
    let isPartial: Bool
  }

  /// By table and column: the type, and whether the column is the key, is not null or has a default.
  private(set) var tables: [String: [String: String]] = [:]
  /// Indexes by name; the index of a table's constraint is named after the table and the columns.
  private(set) var indexes: [String: Index] = [:]
  /// Statements by name, with spaces normalised.
  private(set) var triggers: [String: String] = [:]

  init(of database: SQLiteDatabase) throws(SQLiteError) {
    for row in try database.rows("SELECT type, name, sql FROM main.sqlite_master ORDER BY name") {
      guard case .text(let type) = row[0], case .text(let name) = row[1] else { continue }
      switch type {
      case "table" where !name.hasPrefix("sqlite_"): try readTable(name, database)
      case "trigger":
        if case .text(let text) = row[2] {
          triggers[name] = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
      default: break
      }
    }
  }

  /// The shape of a new database in which the statements have run.
  init(_ statements: SchemaStatements) throws(SQLiteError) {
    let database = try SQLiteDatabase("the expected schema", mode: .memory)
    for statement in statements.all { try database.execute(statement) }
    try self.init(of: database)
  }

  private mutating func readTable(_ name: String, _ database: SQLiteDatabase) throws(SQLiteError) {
    var columns: [String: String] = [:]
    for row in try database.rows(
      "SELECT name, type, pk, \"notnull\", dflt_value FROM pragma_table_xinfo(?, 'main')", [.text(name)])
    {
      guard case .text(let column) = row[0], case .text(let type) = row[1] else { continue }
      let traits = [
        row[2] == .integer(0) ? nil : "key", row[3] == .integer(0) ? nil : "not null",
        row[4] == .null ? nil : "default",
      ]
      columns[column] = ([type] + traits.compactMap { $0 }).joined(separator: " ")
    }
    tables[name] = columns
    for row in try database.rows(
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?, 'main')", [.text(name)])
    {
      guard case .text(let index) = row[0], case .text(let origin) = row[2] else { continue }
      let parts = try database.rows(
        "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno",
        [.text(index)]
      ).map { part -> String in
        let column = if case .text(let column) = part[0] { column } else { "an expression" }
        let collation =
          if case .text(let collation) = part[2], collation != "BINARY" { " \(collation)" } else { "" }
        return column + collation + (part[1] == .integer(1) ? " descending" : "")
      }
      let key =
        origin == "c"
        ? index : "\(origin == "pk" ? "PRIMARY KEY" : "UNIQUE") of \(name) (\(parts.joined(separator: ", ")))"
      indexes[key] = Index(
        table: name, isUnique: row[1] == .integer(1), columns: parts, isPartial: row[3] == .integer(1))
    }
  }
}
