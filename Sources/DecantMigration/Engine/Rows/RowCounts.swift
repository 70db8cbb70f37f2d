internal import DecantSQLite

/// The counts of the row path; they are in the working file, so that they are kept as long as the rows.
struct RowCounts {
  static let table = "Z_DECANT_COUNTS"
  static let workTables = [
    table:
      "CREATE TABLE \(table) (mapping INTEGER, what TEXT, rows INTEGER, PRIMARY KEY (mapping, what)) WITHOUT ROWID"
  ]

  /// Source rows that were passed to a policy.
  static let given = "given"
  /// Source rows that the filter excludes.
  static let filtered = "filtered"
  /// Source rows without a value for `uniqueBy`.
  static let withoutValue = "without value"
  /// Passed rows from which the policy made nothing in the create stage; it may have associated them later.
  static let leftOut = "left out"

  /// How often a source row's last object was deleted again; the row may have been associated again.
  static let deleted = "deleted"

  /// Objects that stand for one value each.
  static let values = "values"

  /// Chunks whose objects were related by statements.
  static let together = "related together"
  /// Not 0 if the objects of a mapping are related one by one.
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

  /// Counts the values with an object, before their table is emptied.
  func addValues() throws(SQLiteError) {
    try database.execute(
      "INSERT OR REPLACE INTO main.\(Self.table) (mapping, what, rows) SELECT mapping, '\(Self.values)', count(*) "
        + "FROM main.\(Associations.values) GROUP BY mapping")
  }

  /// Adds the number of an entity's objects that policies made, minus those that they deleted.
  func add(made rows: Int, of entity: String) throws(SQLiteError) {
    try add(rows, "made \(entity)", mapping: 0)
  }

  func made(of entity: String) throws(SQLiteError) -> Int { try rows("made \(entity)", mapping: 0) }
}
