internal import DecantEngine
internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Checks that each quarantined object breaks a rule of the destination model.
struct AsideReasons {
  let layout: StoreLayout
  /// The connection, with the quarantine store attached as `aside`.
  let database: SQLiteDatabase

  /// The table of the list's links: how many targets a relationship has in the delivered store.
  ///
  /// The table is used if `main` doesn't have all objects.
  static let links = "temp.decant_aside_links"

  func readLinks(_ path: String) throws {
    try database.execute(
      "CREATE TEMP TABLE decant_aside_links (entity TEXT, key INTEGER, property TEXT, targets INTEGER, "
        + "PRIMARY KEY (entity, key, property)) WITHOUT ROWID")
    let insert = try database.prepare("INSERT OR IGNORE INTO \(Self.links) VALUES (?, ?, ?, ?)")
    try AsideList.read(path) { entry in
      for (property, targets) in entry.links ?? [:] {
        try insert.run([
          .text(entry.entity), .integer(Int64(entry.key)), .text(property), .integer(Int64(targets.count)),
        ])
      }
    }
  }

  /// - Parameters:
  ///   - isWhole: Whether `main` has all objects, as before the quarantine; if false, `main` is the delivered store.
  ///   - condition: A condition on keys `s.Z_PK` of objects that can be checked.
  func run(
    _ entity: Entity, isWhole: Bool, where condition: String = "1", _ findings: inout Findings
  ) throws(SQLiteError) {
    guard let table = layout.table(of: entity.name), let number = layout.entityNumbers[entity.name] else {
      return
    }
    let name = quoted(table.name)
    let rows =
      isWhole
      ? "FROM main.\(name) AS s JOIN aside.\(name) AS a ON a.Z_PK = s.Z_PK WHERE s.Z_ENT = \(number)"
      : "FROM aside.\(name) AS s WHERE s.Z_ENT = \(number)"
    var reasons = ValidationRule.rules(of: entity.name, in: layout) { _ in }.flatMap {
      self.reasons($0, isWhole: isWhole)
    }
    reasons += duplicates(of: entity, name, isWhole: isWhole)
    let all = reasons.isEmpty ? "0" : reasons.map { "ifnull(\($0), 0)" }.joined(separator: " OR ")
    let query = "\(rows) AND \(condition) AND NOT (\(all))"
    let count = try database.integer("SELECT count(*) \(query)")
    guard count > 0 else { return }
    findings.add(
      .asideWithoutReason, entity: entity.name, count: count,
      examples: try database.rows("SELECT s.Z_PK \(query) ORDER BY 1 LIMIT 5").compactMap {
        $0.first?.integer.map(String.init)
      })
  }

  /// The conditions under which a row `s` breaks a rule: by itself, or because its targets are in quarantine.
  private func reasons(_ rule: ValidationRule, isWhole: Bool) -> [String] {
    let isRelationship = layout.model.relationship(rule.property, of: rule.entity) != nil
    guard let requirement = rule.requirement else {
      // Without the targets, other rules of relationships can't be checked, so every object is accepted.
      return [isRelationship && !isWhole ? "1" : "(\(rule.broken))"]
    }
    guard isWhole else {
      return [
        "(SELECT ifnull(sum(l.targets), 0) FROM \(Self.links) AS l WHERE l.entity = \(SQLLiteral.string(rule.entity)) "
          + "AND l.key = s.Z_PK AND l.property = \(SQLLiteral.string(rule.property))) < \(requirement.least)"
      ]
    }
    guard let targets = layout.table(of: requirement.targetRoot) else { return ["(\(rule.broken))"] }
    let storage = requirement.storage
    let target = "t.\(quoted(storage.target))"
    return [
      "(\(rule.broken))",
      "(SELECT count(*) FROM main.\(quoted(storage.table)) AS t WHERE t.\(quoted(storage.owner)) = s.Z_PK "
        + "AND \(target) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM aside.\(quoted(targets.name)) AS x "
        + "WHERE x.Z_PK = \(target))) < \(requirement.least)",
    ]
  }

  /// The conditions that another object has equal unique values and a lower key.
  private func duplicates(of entity: Entity, _ table: String, isWhole: Bool) -> [String] {
    layout.model.entities.filter { layout.model.isKind(entity.name, of: $0.name) }.flatMap { owner in
      owner.uniquenessConstraints.flatMap { names -> [String] in
        guard let columns = layout.columns(of: names, in: owner.name)?.map(quoted) else { return [] }
        // The quarantine store lacks references to delivered objects, so such values can't be compared.
        let isCut = names.contains { layout.model.relationship($0, of: owner.name) != nil }
        guard isWhole || !isCut else { return ["1"] }
        let equal = columns.map { "o.\($0) = s.\($0)" }.joined(separator: " AND ")
        return (isWhole ? ["main"] : ["main", "aside"]).map {
          "EXISTS (SELECT 1 FROM \($0).\(table) AS o WHERE o.Z_PK < s.Z_PK AND \(equal))"
        }
      }
    }
  }
}
