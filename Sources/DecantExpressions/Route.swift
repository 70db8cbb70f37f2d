/// A route from an enclosing row over relationships to one row or many.
struct Route {
  struct Join {
    let table: String
    let alias: String
    let condition: String
    /// Whether rows without a match stay; their value is then nil.
    var isLeft = false
    /// Whether the join gives one row with a known key, which SQLite looks up first.
    var isLookup = false
  }

  /// The joined tables; empty if the row is the enclosing one itself.
  var joins: [Join] = []
  /// The alias of the row at the end of the route.
  var alias: String
  var entity: String
  /// Whether the row at the end may be nil.
  var isNullable: Bool
  var isMany = false
  /// Whether the members have no order; they are then read in key order.
  var isSet = false
  var order: [String] = []
  var filters: [String] = []
  /// The condition under which the whole collection is nil.
  var nilCondition: String?

  init(alias: String, entity: String, isNullable: Bool = false) {
    self.alias = alias
    self.entity = entity
    self.isNullable = isNullable
  }

  /// A member of this route, as the enclosing row of an expression that is computed for each member.
  var member: Route { Route(alias: alias, entity: entity, isNullable: isNullable) }

  /// `FROM` and `WHERE` with the joins in the order of the route, which `CROSS JOIN` keeps.
  ///
  /// A filter is evaluated for a row only if the conditions of all joins hold, except left joins and look-ups.
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

  /// A scalar subquery over the row; the text itself if the row is the enclosing one.
  func scalar(_ text: String) -> String { joins.isEmpty ? text : "(SELECT \(text) \(body))" }

  var key: String { scalar("\(alias).Z_PK") }

  /// A query that gives a value for each member, in the column `v`.
  func each(_ text: String, ordered: Bool = true, reversed: Bool = false) -> String {
    let direction = reversed ? " DESC" : ""
    let order = ordered ? " ORDER BY " + self.order.map { $0 + direction }.joined(separator: ", ") : ""
    return "SELECT \(text) AS v \(body)\(self.order.isEmpty ? "" : order)"
  }

  /// A value of the collection; nil if the collection is nil.
  func unlessNil(_ text: String) -> String {
    nilCondition.map { "CASE WHEN \($0) THEN NULL ELSE \(text) END" } ?? text
  }
}
