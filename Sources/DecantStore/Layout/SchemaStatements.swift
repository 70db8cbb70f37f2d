internal import DecantModel
internal import Synchronization

/// The statements that create a store, in the text and order of the layout's framework
/// (docs/formats/core-data-sqlite.md 1.4).
package struct SchemaStatements: Sendable {
  /// Every statement in creation order.
  package let all: [String]
  /// The tables whose statement has a uniqueness constraint, as frameworks before 847 write it.
  package let constrained: [ConstrainedTable]
  /// Indexes of the model that are left out, because Core Data's statement for them isn't known.
  package let leftOut: [StoreLayout.Unsettled]

  /// The statements of the tables, with the framework's own tables such as `Z_PRIMARYKEY`.
  package var tables: [String] { all.filter { $0.hasPrefix("CREATE TABLE ") } }
  /// The statements of the indexes, unique ones included.
  package var indexes: [String] {
    all.filter { $0.hasPrefix("CREATE INDEX ") || $0.hasPrefix("CREATE UNIQUE INDEX ") }
  }
  package var triggers: [String] { all.filter { $0.hasPrefix("CREATE TRIGGER ") } }

  /// Makes the statements of a layout.
  ///
  /// The layout keeps them for the next call.
  ///
  /// - Throws: `LayoutError.unsettled` if the layout, its triggers or its indexes have open points
  ///   (docs/formats/core-data-sqlite.md 13).
  package init(_ layout: StoreLayout) throws(LayoutError) {
    if let made = layout.madeStatements.value {
      self = made
    } else {
      try self.init(making: layout)
      layout.madeStatements.value = self
    }
  }

  private init(making layout: StoreLayout) throws(LayoutError) {
    let triggers = DerivedTriggers.triggers(of: layout)
    let indexes = IndexStatements(layout)
    let unsettled = layout.unsettled + triggers.unsettled + indexes.unsettled
    guard unsettled.isEmpty else { throw .unsettled(unsettled) }
    leftOut = indexes.leftOut
    constrained = layout.tables.compactMap { ConstrainedTable($0, of: layout) }
    var statements: [String] = []
    var later: [String] = []
    for table in layout.tables {
      statements.append(Self.statement(table, layout: layout))
      if layout.framework.writesModernTables {
        later += indexes.statements(for: table)
      } else {
        statements += indexes.statements(for: table)
      }
      statements += layout.joinTables.filter { $0.rootEntity == table.rootEntity }.map(\.tableStatement.text)
    }
    all =
      statements + later + triggers.statements + [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      ] + (layout.framework.writesModernTables ? ["CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"] : [])
  }

  /// `-- Z_ENT|Z_NAME|Z_SUPER|0` for each row of `Z_PRIMARYKEY`.
  package static func primaryKeyComments(_ layout: StoreLayout) -> [String] {
    PrimaryKeyRow.rows(of: layout).map { "-- \($0.number)|\($0.name)|\($0.superNumber)|0" }
  }

  static func statement(_ table: StoreLayout.Table, layout: StoreLayout) -> String {
    statement(table, constraints: UniquenessConstraints.clauses(for: table, layout: layout))
  }

  fileprivate static func statement(_ table: StoreLayout.Table, constraints: [String]) -> String {
    let text = table.tableStatement.text
    guard !constraints.isEmpty else { return text }
    // With a constraint, no space precedes the last “)” (docs/formats/core-data-sqlite.md 5.4).
    return text.dropLast(2) + constraints.map { ", " + $0 }.joined() + ")"
  }
}

/// A table with a uniqueness constraint in its statement.
package struct ConstrainedTable: Sendable {
  package let name: String
  /// The statement as Core Data writes it.
  package let statement: String
  /// The statement without the constraints.
  package let open: String
  /// The columns of each constraint; each list occurs once, because SQLite makes one index for equal constraints.
  let constraints: [[String]]

  init?(_ table: StoreLayout.Table, of layout: StoreLayout) {
    var constraints: [[String]] = []
    for columns in UniquenessConstraints.columns(for: table, layout: layout)
    where !constraints.contains(columns) {
      constraints.append(columns)
    }
    guard !constraints.isEmpty else { return nil }
    self.constraints = constraints
    name = table.name
    statement = SchemaStatements.statement(table, layout: layout)
    open = SchemaStatements.statement(table, constraints: [])
  }
}

/// The statements of a layout, shared by its copies.
final class MadeStatements: Sendable {
  private let made = Mutex<SchemaStatements?>(nil)

  var value: SchemaStatements? {
    get { made.withLock { $0 } }
    set { made.withLock { $0 = newValue } }
  }
}
