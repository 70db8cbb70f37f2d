package import DecantSQLite

/// Counts of rows and objects by entity mapping, in a table of the working file.
///
/// The transaction that writes the rows also writes their counts.
package struct RowCounts {
  static let table = "Z_DECANT_COUNTS"
  package static let workTables = [
    table:
      "CREATE TABLE \(table) (mapping INTEGER, what TEXT, rows INTEGER, PRIMARY KEY (mapping, what)) WITHOUT ROWID"
  ]

  /// Source rows that were passed to a policy or to the base class.
  package static let given = "given"
  /// Source rows that the filter excludes.
  package static let filtered = "filtered"
  /// Source rows without a value for `uniqueBy`.
  package static let withoutValue = "without value"
  /// Source rows from which a policy made no object in the create stage; a policy may have associated them later.
  package static let leftOut = "left out"

  /// How often a policy deleted the last object of a source row; the row may have been associated again.
  package static let deleted = "deleted"

  /// Objects made by `uniqueBy`, one for each value.
  package static let values = "values"

  /// Chunks of row-by-row work in which statements set the relationships.
  package static let together = "related together"
  /// Not 0 if the relationships of a mapping's objects are set object by object.
  package static let oneByOne = "related one by one"

  private let database: SQLiteDatabase

  package init(_ database: SQLiteDatabase) {
    self.database = database
  }

  package func add(_ rows: Int, _ what: String, mapping: Int) throws(SQLiteError) {
    guard rows != 0 else { return }
    try database.prepare(
      "INSERT INTO main.\(Self.table) (mapping, what, rows) VALUES (?, ?, ?) "
        + "ON CONFLICT (mapping, what) DO UPDATE SET rows = rows + excluded.rows"
    ).run([.integer(Int64(mapping)), .text(what), .integer(Int64(rows))])
  }

  package func rows(_ what: String, mapping: Int) throws(SQLiteError) -> Int {
    try database.integer(
      "SELECT rows FROM main.\(Self.table) WHERE mapping = ? AND what = ?",
      [.integer(Int64(mapping)), .text(what)])
  }

  /// Counts the values of `uniqueBy` that have an object, before the table of these values is emptied.
  package func addValues() throws(SQLiteError) {
    try database.execute(
      "INSERT OR REPLACE INTO main.\(Self.table) (mapping, what, rows) SELECT mapping, '\(Self.values)', count(*) "
        + "FROM main.\(Associations.values) GROUP BY mapping")
  }

  /// Adds the number of an entity's objects that row-by-row work made, minus the number of those that it deleted.
  package func add(made rows: Int, of entity: String) throws(SQLiteError) {
    try add(rows, "made \(entity)", mapping: 0)
  }

  package func made(of entity: String) throws(SQLiteError) -> Int { try rows("made \(entity)", mapping: 0) }
}
