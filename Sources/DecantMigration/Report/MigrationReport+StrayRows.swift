extension MigrationReport {
  /// Rows of the source that belong to no entity of their table (`strayRows` of `family.json5`): they are no objects, and
  /// in no other number.
  public struct StrayRows: Sendable, Hashable, Codable {
    /// Those of one table.
    public struct Table: Sendable, Hashable, Codable {
      public var table: String
      public var rows: Int

      public init(table: String, rows: Int) {
        self.table = table
        self.rows = rows
      }
    }

    /// The file name of the store that holds them, beside the delivered one; `nil` where the store was handed on with
    /// them, and in a plan.
    public var store: String?
    /// The file name of the list that says what is wrong with each.
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
