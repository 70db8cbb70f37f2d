internal import DecantSQLite

/// What the row path has counted, in the working file so that it lives as long as the rows do.
struct RowCounts {
  static let table = "Z_DECANT_COUNTS"
  static let workTables = [
    table:
      "CREATE TABLE \(table) (mapping INTEGER, what TEXT, rows INTEGER, PRIMARY KEY (mapping, what)) WITHOUT ROWID"
  ]

  /// Source rows that were handed to a policy.
  static let given = "given"
  /// Source rows that the filter left over.
  static let filtered = "filtered"
  /// Source rows that have nothing to be unique by.
  static let withoutValue = "without value"
  /// Given rows of which the policy made nothing in the create stage; it may have associated them later.
  static let leftOut = "left out"

  /// Times that the last thing which was made of a source row was deleted again; it may have been associated anew.
  static let deleted = "deleted"

  /// Objects that stand for a value each.
  static let values = "values"

  /// Chunks whose objects were related with statements.
  static let together = "related together"
  /// Not 0 where the objects of a mapping are related one by one.
  static let oneByOne = "related one by one"

  private let database: SQLiteDatabase

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  func add(_ rows: Int, _ what: String, mapping: Int) throws(SQLiteError) {
    guard rows != 0 else { return }
    try database.prepare(
      "INSERT INTO main.\(Self.table) (mapping, what, rows) VALUES (?, ?, ?) "
        + "ON CONFLICT (mapping, what) DO UPDATE SET rows = rows + excluded.rows"
    ).run([.integer(Int64(mapping)), .text(what), .integer(Int64(rows))])
  }

  func rows(_ what: String, mapping: Int) throws(SQLiteError) -> Int {
    try database.integer(
      "SELECT rows FROM main.\(Self.table) WHERE mapping = ? AND what = ?",
      [.integer(Int64(mapping)), .text(what)])
  }

  /// Counts the values that objects stand for, before they go.
  func addValues() throws(SQLiteError) {
    try database.execute(
      "INSERT OR REPLACE INTO main.\(Self.table) (mapping, what, rows) SELECT mapping, '\(Self.values)', count(*) "
        + "FROM main.\(Associations.values) GROUP BY mapping")
  }

  /// Objects that policies made, less those that they deleted, of an entity.
  func add(made rows: Int, of entity: String) throws(SQLiteError) {
    try add(rows, "made \(entity)", mapping: 0)
  }

  func made(of entity: String) throws(SQLiteError) -> Int { try rows("made \(entity)", mapping: 0) }
}
