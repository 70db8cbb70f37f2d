internal import DecantSQLite

/// The tables and indexes in the copy of a source that stay, and the statements that drop everything else.
struct KeptIndexes {
  /// The rows of the schema table for the tables and indexes that stay.
  let entries: [SchemaEntry]
  /// The destination's statement for each index that stays, by the index's name in the source.
  ///
  /// The index of a constraint has no statement, so it isn't in this dictionary.
  let kept: [String: String]
  let drops: [String]

  /// - Parameter statements: The statements of the destination's indexes.
  init(_ reshaping: Reshaping, statements: [String], schema: [SchemaEntry]) {
    let tables = Dictionary(reshaping.kept.map { ($0.source, $0) }) { first, _ in first }
    var wanted: [String: [String]] = [:]
    for statement in statements {
      for table in reshaping.kept {
        if let former = Self.former(statement, table) { wanted[former, default: []].append(statement) }
      }
    }
    var kept: [String: String] = [:]
    var entries: [SchemaEntry] = []
    var drops: [String] = []
    for entry in schema {
      switch entry.type {
      case "table" where tables[entry.name] != nil: entries.append(entry)
      case "table": drops.append("DROP TABLE main.\(quoted(entry.name))")
      case "view": drops.append("DROP VIEW main.\(quoted(entry.name))")
      // Core Data makes triggers for derived attributes. The destination's triggers are made at the end of the step.
      case "trigger": drops.append("DROP TRIGGER main.\(quoted(entry.name))")
      case "index" where tables[entry.table] != nil:
        guard let statement = entry.statement else {
          entries.append(entry)
          continue
        }
        if let form = Self.form(statement, name: entry.name), let new = wanted[form]?.first {
          wanted[form]?.removeFirst()
          kept[entry.name] = new
          entries.append(entry)
        } else {
          drops.append("DROP INDEX main.\(quoted(entry.name))")
        }
      default: break
      }
    }
    self.entries = entries
    self.kept = kept
    // A dropped table takes its triggers with it, so triggers are dropped before tables.
    self.drops = drops.filter { !$0.hasPrefix("DROP TABLE ") } + drops.filter { $0.hasPrefix("DROP TABLE ") }
  }

  /// The statement of an index without the index's name.
  private static func form(_ statement: String, name: String) -> String? {
    for start in ["CREATE INDEX ", "CREATE UNIQUE INDEX "] {
      let whole = start + name + " ON "
      if statement.hasPrefix(whole) { return start + "ON " + statement.dropFirst(whole.count) }
    }
    return nil
  }

  /// The statement of a destination's index with the source's names of table and columns, without the index's name.
  ///
  /// It is `nil` if the index belongs to another table, if its entries change, or if it covers only some rows.
  private static func former(_ statement: String, _ table: Reshaping.KeptTable) -> String? {
    let name = DestinationStore.name(of: statement)
    guard !statement.contains(" WHERE "), let form = form(statement, name: name),
      let open = form.firstIndex(of: "("),
      form[..<open].hasSuffix(" ON \(table.destination) ")
    else { return nil }
    let start = form[..<open].dropLast(table.destination.count + 1)
    let names = Dictionary(table.columns.map { ($0.destination, $0.source) }) { first, _ in first }
    var columns = ""
    var word = ""
    var isKept = true
    func end() {
      if table.changed.contains(word) { isKept = false }
      columns += names[word] ?? word
      word = ""
    }
    for character in form[open...] {
      if " (),\"'".contains(character) {
        end()
        columns.append(character)
      } else {
        word.append(character)
      }
    }
    end()
    return isKept ? start + table.source + " " + columns : nil
  }
}
