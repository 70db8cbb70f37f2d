internal import DecantModel
internal import DecantSQLite
package import DecantStore

/// The rows of a store that belong to no entity of their table.
///
/// Core Data never writes such rows. Their `Z_ENT` is NULL, isn't a whole number, or isn't the number of an entity of
/// the table that can have objects.
package struct StrayRows: Sendable {
  package struct Table: Sendable, Hashable {
    package let table: StoreLayout.Table
    package let rows: Int
    /// The most frequent values of `Z_ENT`.
    let kinds: [Kind]
  }

  /// The stray rows of one table with the same `Z_ENT`.
  package struct Kind: Sendable, Hashable {
    /// The whole number in `Z_ENT`; `nil` if there is another value.
    let number: Int64?
    /// SQLite's name for the type of the value.
    let type: String
    let rows: Int
  }

  package let layout: StoreLayout
  /// The tables with stray rows, in the layout's order.
  package let tables: [Table]
  private let names: [Int64: String]

  init(layout: StoreLayout, tables: [Table]) {
    self.layout = layout
    self.tables = tables
    names = Dictionary(
      layout.entityNumbers.map { (Int64($0.value), $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  var count: Int { tables.reduce(0) { $0 + $1.rows } }

  /// The largest number of values of `Z_ENT` that are reported.
  static let mostKinds = 5

  /// SQL that is true for a stray row.
  ///
  /// - Parameter row: The name of the table in the statement.
  static func condition(_ table: StoreLayout.Table, in layout: StoreLayout, row: String = "s") -> String {
    let numbers = layout.concreteNumbers(inFamilyOf: table.rootEntity).map(String.init).joined(separator: ", ")
    return "(typeof(\(row).Z_ENT) <> 'integer' OR \(row).Z_ENT NOT IN (\(numbers)))"
  }

  static func find(
    in table: StoreLayout.Table, of layout: StoreLayout, _ database: SQLiteDatabase
  ) throws(SQLiteError) -> Table? {
    let rows = "FROM \(quoted(table.name)) AS s NOT INDEXED WHERE \(condition(table, in: layout))"
    let count = try database.integer("SELECT count(*) \(rows)")
    guard count > 0 else { return nil }
    let kinds = try database.rows(
      "SELECT CASE typeof(s.Z_ENT) WHEN 'integer' THEN s.Z_ENT END AS number, typeof(s.Z_ENT) AS type, count(*) \(rows) "
        + "GROUP BY number, type ORDER BY 3 DESC, 1, 2 LIMIT \(mostKinds)")
    return Table(
      table: table, rows: count,
      kinds: kinds.map { row in
        let type = if case .text(let type) = row[1] { type } else { "" }
        return Kind(
          number: row[0].integer, type: type, rows: row[2].integer.flatMap { Int(exactly: $0) } ?? 0)
      })
  }

  // MARK: Words

  func reason(number: Int64?, type: String, in table: StoreLayout.Table) -> String {
    guard let number else { return type == "null" ? "Z_ENT is NULL" : "Z_ENT is a \(type)" }
    guard let entity = entity(number) else { return "no entity has the number \(number)" }
    return layout.model.root(of: entity)?.name == table.rootEntity
      ? "entity “\(entity)” is abstract" : "entity “\(entity)” has another table"
  }

  func entity(_ number: Int64) -> String? { names[number] }

  /// The error that refuses a store for its first stray rows.
  func failure(path: String) -> StoreError {
    let (table, kind) = (tables.first, tables.first?.kinds.first)
    let words = table.map { reason(number: kind?.number, type: kind?.type ?? "", in: $0.table) }
    return .strayRows(
      path: path, table: table?.table.name ?? "", number: kind?.number, count: kind?.rows ?? 0,
      reason: words ?? "")
  }

  /// Sentences for a store that is kept with its stray rows.
  var remainingSentences: [String] {
    sentences { $0 ? "it stays in the store" : "they stay in the store" }
  }

  /// A sentence for each table.
  ///
  /// - Parameter fate: Gives the end of each sentence: what happens to the row, or to the rows.
  func sentences(_ fate: (_ isOne: Bool) -> String) -> [String] {
    tables.map { table in
      let kinds = table.kinds.map { kind in
        "\(reason(number: kind.number, type: kind.type, in: table.table)): \(counted(kind.rows, "row"))"
      }
      let rest = table.rows - table.kinds.reduce(0) { $0 + $1.rows }
      let all = kinds + (rest > 0 ? ["others: \(counted(rest, "row"))"] : [])
      return "Table \(table.table.name) has \(counted(table.rows, "row")) that "
        + "\(table.rows == 1 ? "belongs" : "belong") to none of its entities (\(all.joined(separator: "; "))); "
        + fate(table.rows == 1) + "."
    }
  }
}

extension StoreLayout {
  /// The numbers of the entities in an entity's table that can have objects, sorted.
  func concreteNumbers(inFamilyOf entity: String) -> [Int] {
    guard let root = model.root(of: entity) else { return [] }
    return model.family(of: root.name).filter { !$0.isAbstract }.compactMap { entityNumbers[$0.name] }.sorted()
  }
}
