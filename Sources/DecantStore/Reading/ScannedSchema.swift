internal import DecantSQLite

/// The trees of pages in a file, from the file's schema.
struct ScannedSchema {
  /// The schema's own table is first.
  var trees = [PageTree(root: 1, isTable: true, columns: 5)]
  /// The names of the tables that have an `entityColumn`, by their places in `trees`.
  var names: [Int: String] = [:]

  /// Words in a table's statement that stand for rules which the scan doesn't check.
  ///
  /// `DESC` is among them because an `INTEGER PRIMARY KEY DESC` isn't the rowid.
  private static let further: Set = ["NOT", "STRICT", "WITHOUT", "AS", "DESC"]

  /// - Throws: `SQLiteError`; `Unfit` if a table has rules that the scan doesn't check, or an index is missing.
  init(_ database: SQLiteDatabase, checksTypes: Bool) throws {
    let rows = try database.rows("SELECT type, name, rootpage, upper(sql) FROM sqlite_master")
    for row in rows {
      guard case .text(let type) = row[0], case .text(let name) = row[1], let root = row[2].integer, root > 0
      else { continue }
      var tree = PageTree(root: Int(root), isTable: type == "table")
      if case .text(let text) = row[3], tree.isTable, !Self.further.isDisjoint(with: Self.words(text)) {
        throw Unfit()
      }
      if tree.isTable {
        let columns = try database.rows("SELECT name, type, pk FROM pragma_table_info(?)", [.text(name)])
        tree.columns = columns.count
        if checksTypes {
          tree.types = columns.map { column in
            if case .text(let type) = column[1] { ValueTypes(declared: type) } else { .any }
          }
        }
        tree.entityColumn = Self.entityColumn(columns)
        if tree.entityColumn != nil { names[trees.count] = name }
      }
      trees.append(tree)
    }
    // A clause of a table's statement may ask for an index that isn't there. Then the two lists of indexes differ.
    let listed = try database.rows(
      "SELECT l.name FROM sqlite_master AS m, pragma_index_list(m.name) AS l WHERE m.type = 'table' ORDER BY 1")
    guard listed.map(\.[0]) == (rows.filter { $0[0] == .text("index") }.map(\.[1]).sorted(by: Self.byName))
    else {
      throw Unfit()
    }
  }

  private static func byName(_ one: SQLiteValue, _ other: SQLiteValue) -> Bool {
    guard case .text(let one) = one, case .text(let other) = other else { return false }
    return one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  private struct Unfit: Error {}

  /// The words of a statement, also those within quotes and comments.
  private static func words(_ text: String) -> Set<String> {
    let isOfWord = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }
    return Set(text.utf8.split { !isOfWord($0) }.compactMap { String($0) })
  }

  /// The place of `Z_ENT` in a table whose only key `Z_PK` is the rowid.
  ///
  /// It is `nil` for other tables, and if the type of `Z_ENT` isn't `INTEGER`.
  private static func entityColumn(_ columns: [[SQLiteValue]]) -> Int? {
    let keys = columns.filter { $0[2].integer != 0 }
    guard keys.count == 1, keys[0][0] == .text("Z_PK"), isInteger(keys[0]) else { return nil }
    // In a column of another type, SQLite may give another value than the integer in the file.
    return columns.firstIndex { $0[0] == .text("Z_ENT") && isInteger($0) }
  }

  private static func isInteger(_ column: [SQLiteValue]) -> Bool {
    if case .text(let type) = column[1] { type.uppercased() == "INTEGER" } else { false }
  }
}
