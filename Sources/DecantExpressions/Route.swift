/// A way from an enclosing row over relationships to a row, or to many.
struct Route {
  /// One table more.
  struct Join {
    let table: String
    let alias: String
    let condition: String
    /// Rows without a match stay, with nil in its place.
    var isLeft = false
    /// One row by its key, which SQLite looks up before it asks anything else.
    var isLookup = false
  }

  /// Empty where the row is the enclosing one itself.
  var joins: [Join] = []
  /// The row that the way leads to.
  var alias: String
  var entity: String
  /// Whether that row may be nil.
  var isNullable: Bool
  var isMany = false
  /// Whether the members have no order; sets are held in the order of keys all the same.
  var isSet = false
  var order: [String] = []
  var filters: [String] = []
  /// When the whole collection is nil.
  var nilCondition: String?

  /// An enclosing row.
  init(alias: String, entity: String, isNullable: Bool = false) {
    self.alias = alias
    self.entity = entity
    self.isNullable = isNullable
  }

  /// A member of this way, as the enclosing row of what is asked of each.
  var member: Route { Route(alias: alias, entity: entity, isNullable: isNullable) }

  /// `FROM` and `WHERE` with the joins in the order of the way, which `CROSS JOIN` keeps.
  ///
  /// A filter looks at a row only where the joins' conditions hold.
  var body: String {
    guard let first = joins.first else { return "" }
    var text = "FROM \(first.table) AS \(first.alias)"
    for join in joins.dropFirst() {
      text += " \(join.isLeft ? "LEFT" : "CROSS") JOIN \(join.table) AS \(join.alias) ON \(join.condition)"
    }
    text += " WHERE \(first.condition)"
    guard !filters.isEmpty else { return text }
    let guards = joins.filter { !$0.isLeft && !$0.isLookup }.map {
      "WHEN NOT ifnull((\($0.condition)), 0) THEN 0"
    }
    let tests = filters.map { "WHEN NOT (\($0)) THEN 0" }
    return text + " AND CASE \((guards + tests).joined(separator: " ")) ELSE 1 END"
  }

  /// A scalar subquery of something of the row, or that itself where the row is the enclosing one.
  func scalar(_ text: String) -> String { joins.isEmpty ? text : "(SELECT \(text) \(body))" }

  /// The row's key; nil where there is none.
  var key: String { scalar("\(alias).Z_PK") }

  /// A value for each member, side by side.
  func each(_ text: String, ordered: Bool = true, reversed: Bool = false) -> String {
    let direction = reversed ? " DESC" : ""
    let order = ordered ? " ORDER BY " + self.order.map { $0 + direction }.joined(separator: ", ") : ""
    return "SELECT \(text) AS v \(body)\(self.order.isEmpty ? "" : order)"
  }

  /// Something of the collection; nil where the collection is nil.
  func unlessNil(_ text: String) -> String {
    nilCondition.map { "CASE WHEN \($0) THEN NULL ELSE \(text) END" } ?? text
  }
}
