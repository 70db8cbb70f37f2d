/// The `CREATE TABLE` statement of a table: written in Core Data's form, and compared with statements in other forms.
package struct TableStatement {
  let table: String
  /// Names and types, in order.
  let columns: [(name: String, type: String)]
  /// The columns of a primary key clause; empty for a table without one.
  let primaryKey: [String]

  package init(table: String, columns: [(name: String, type: String)], primaryKey: [String] = []) {
    self.table = table
    self.columns = columns
    self.primaryKey = primaryKey
  }

  /// The statement in the form of Core Data.
  package var text: String {
    let key = primaryKey.isEmpty ? "" : ", PRIMARY KEY (\(primaryKey.joined(separator: ", ")))"
    let list = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    return "CREATE TABLE \(table) ( \(list)\(key) )"
  }

  /// Whether another statement says the same as this one.
  ///
  /// White space, quotes around names, and the case of ASCII letters may differ: an application may have written the
  /// statement, or SQLite may have changed it when the table was altered.
  package func says(_ statement: String) -> Bool {
    guard let words = Self.words(statement), let own = Self.words(text) else { return false }
    return words == own
  }

  private static let quotes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
    UInt8(ascii: "["): UInt8(ascii: "]"),
  ]

  /// The names, words and signs of a statement; `nil` if a quote doesn't end.
  private static func words(_ text: String) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.append(word) }
      word = []
    }
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): end()
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","):
        end()
        words.append([byte])
      case UInt8(ascii: "a")...UInt8(ascii: "z"): word.append(byte - 32)
      default:
        guard let close = quotes[byte] else {
          word.append(byte)
          continue
        }
        end()
        while true {
          guard let next = bytes.next() else { return nil }
          if next == close { break }
          let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
          word.append(isSmall ? next - 32 : next)
        }
        end()
      }
    }
    end()
    return words
  }
}

extension StoreLayout {
  func statement(ofTable name: String) -> TableStatement? {
    tables.first { $0.name == name }?.tableStatement ?? joinTables.first { $0.name == name }?.tableStatement
  }
}

extension StoreLayout.Table {
  /// The statement with the columns in the layout's order.
  package var tableStatement: TableStatement {
    TableStatement(table: name, columns: columns.map { ($0.name, $0.type) })
  }
}

extension StoreLayout.JoinTable {
  package var tableStatement: TableStatement {
    let orders = [first.orderColumn, second.orderColumn].compactMap { $0 }
    return TableStatement(
      table: name, columns: ([first.column, second.column] + orders).map { ($0, "INTEGER") },
      primaryKey: [first.column, second.column])
  }
}
