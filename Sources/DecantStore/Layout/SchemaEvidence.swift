/// The tables and columns that a genuine store has: they settle names that the specification leaves open.
public struct SchemaEvidence: Sendable {
  /// Column names of each table.
  public let tables: [String: [String]]

  public init(tables: [String: [String]]) {
    self.tables = tables
  }

  /// Whether every column that was laid out for a property is there.
  func confirms(_ property: StoreLayout.Property, in layout: [StoreLayout.Table]) -> Bool {
    var isFound = false
    for table in layout {
      for column in table.columns where Self.property(of: column.role) == property {
        guard tables[table.name]?.contains(column.name) == true else { return false }
        isFound = true
      }
    }
    return isFound
  }

  private static func property(of role: StoreLayout.Role) -> StoreLayout.Property? {
    switch role {
    case .key, .entity, .saves: nil
    case .attribute(let property), .toOne(let property), .toOneEntity(let property), .order(let property),
      .owner(let property):
      property
    }
  }
}
