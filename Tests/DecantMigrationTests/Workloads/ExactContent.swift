import DecantSQLite
import Foundation

/// The content of an SQLite file by table.
///
/// The statements of its schema are under `sqlite_master`.
struct ExactContent {
  let tables: [String: String]

  init(_ file: URL) throws {
    let database = try SQLiteDatabase(file.path, mode: .immutable)
    var tables = [
      "sqlite_master": try LogicalContent.lines(
        ["type", "name", "ifnull(sql, '')"], of: "sqlite_master", in: database)
    ]
    for row in try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      guard case .text(let name) = row[0] else { continue }
      let columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(name)]).compactMap {
        if case .text(let column)? = $0.first { LogicalContent.exact("\"\(column)\"") } else { nil }
      }
      tables[name] = try LogicalContent.lines(columns, of: "\"\(name)\"", in: database)
    }
    self.tables = tables
  }

  /// The content without some tables.
  func without(_ names: String...) -> [String: String] { tables.filter { !names.contains($0.key) } }
}

/// The tables that differ, each with the first lines that only one content has.
func differences(_ expected: [String: String], _ found: [String: String]) -> [String] {
  Set(expected.keys).union(found.keys).sorted().flatMap { name -> [String] in
    guard expected[name] != found[name] else { return [] }
    let lines = [expected, found].map { Set(($0[name] ?? "").split(separator: "\n")) }
    let (lost, more) = (lines[0].subtracting(lines[1]), lines[1].subtracting(lines[0]))
    return ["\(name): \(lost.count) lines lost, \(more.count) more"]
      + lost.sorted().prefix(3).map { "- \($0.prefix(300))" }
      + more.sorted().prefix(3).map { "+ \($0.prefix(300))" }
  }
}
