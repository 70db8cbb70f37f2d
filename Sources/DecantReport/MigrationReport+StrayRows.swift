extension MigrationReport {
  /// Rows of the source that belong to no entity of their table (`strayRows` of `family.json5`).
  ///
  /// These rows aren't objects, and no other number of the report counts them.
  public struct StrayRows: Sendable, Hashable, Codable {
    /// The stray rows of one table.
    public struct Table: Sendable, Hashable, Codable {
      public var table: String
      public var rows: Int

      public init(table: String, rows: Int) {
        self.table = table
        self.rows = rows
      }
    }

    /// The file name of the store with these rows, beside the delivered one; `nil` in a plan, and if the delivered
    /// store still has them.
    public var store: String?
    /// The file name of the list that states the fault of each row; `nil` under the same conditions.
    public var list: String?
    public var rows: Int
    public var tables: [Table]

    public init(store: String?, list: String?, rows: Int, tables: [Table]) {
      self.store = store
      self.list = list
      self.rows = rows
      self.tables = tables
    }
  }
}
