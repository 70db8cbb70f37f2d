internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Marks the objects that go to quarantine, in rounds, until a round finds none.
///
/// A round's result depends on earlier rounds alone, so a resumed run marks the same objects for the same reasons.
struct QuarantineMarking {
  let quarantine: Quarantine
  let database: SQLiteDatabase
  private var layout: StoreLayout { quarantine.layout }

  init(_ quarantine: Quarantine, in database: SQLiteDatabase) {
    self.quarantine = quarantine
    self.database = database
  }

  /// The maximum number of rounds that are committed together.
  private static let roundsAtOnce = 500

  /// Continues from the checkpoint; false if more rounds are needed.
  ///
  /// - Throws: `SQLiteError`; if a value can't be read, `isFunctionError` is true.
  func advance(_ state: inout Checkpoint.State) throws(SQLiteError) -> Bool {
    for statement in Self.tables { try database.execute(statement) }
    guard var round = state.position else {
      try markBroken()
      state.position = 0
      return false
    }
    try database.execute(
      "INSERT INTO temp.decant_frontier SELECT root, key FROM main.\(Quarantine.refused) WHERE round = \(round)"
    )
    let steps = try propagations()
    for _ in 0..<Self.roundsAtOnce {
      round += 1
      for step in steps { try step.run() }
      if try take(round: round) == 0 {
        for (index, rule) in quarantine.uniqueness.enumerated() {
          try database.execute(
            "INSERT OR IGNORE INTO temp.decant_found (root, key, entity, rule) SELECT \(rule.root), key, number, "
              + "\(quarantine.rules.count + index) FROM (\(rule.statement))")
        }
        if try take(round: round) == 0 { return true }
      }
      state.position = round
    }
    return false
  }

  private static let tables = [
    "CREATE TEMP TABLE IF NOT EXISTS decant_frontier (root INTEGER, key INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS decant_found (root INTEGER, key INTEGER, entity INTEGER, rule INTEGER, "
      + "PRIMARY KEY (root, key, rule)) WITHOUT ROWID",
    "DELETE FROM temp.decant_frontier", "DELETE FROM temp.decant_found",
  ]

  /// Round 0, before any object is refused: marks the objects that break a rule other than uniqueness.
  private func markBroken() throws(SQLiteError) {
    let look = ValidationFindings(layout: layout, database: database)
    for entity in quarantine.entities {
      guard let rows = look.rows(of: entity), let root = layout.rootNumber(of: entity) else { continue }
      let own = quarantine.rules.enumerated().filter { $0.element.entity == entity }
      for (index, _) in try look.broken(own.map(\.element), of: entity) {
        try database.execute(
          "INSERT OR IGNORE INTO temp.decant_found (root, key, entity, rule) SELECT \(root), s.Z_PK, s.Z_ENT, "
            + "\(own[index].offset) \(rows) AND (\(own[index].element.broken))")
      }
    }
    _ = try take(round: 0)
  }

  /// Marks the found objects as refused, and makes them the frontier of the next round.
  private func take(round: Int) throws(SQLiteError) -> Int {
    try database.execute(
      """
      DELETE FROM temp.decant_frontier;
      INSERT OR IGNORE INTO temp.decant_frontier SELECT root, key FROM temp.decant_found;
      INSERT OR IGNORE INTO main.\(Quarantine.refused) SELECT root, key, entity, \(round) FROM temp.decant_found;
      INSERT OR IGNORE INTO main.\(Quarantine.reasons) SELECT root, key, rule FROM temp.decant_found;
      DELETE FROM temp.decant_found;
      """)
    return try database.integer("SELECT count(*) FROM temp.decant_frontier")
  }

  /// The statements that find the objects that have too few targets, because the frontier's objects are refused.
  private func propagations() throws(SQLiteError) -> [SQLiteStatement] {
    var statements: [SQLiteStatement] = []
    for (index, rule) in quarantine.rules.enumerated() {
      guard let requirement = rule.requirement, let table = layout.table(of: rule.entity),
        let root = layout.rootNumber(of: rule.entity), let number = layout.entityNumbers[rule.entity],
        let target = layout.rootNumber(of: requirement.targetRoot)
      else { continue }
      statements.append(
        try database.prepare(
          "INSERT OR IGNORE INTO temp.decant_found (root, key, entity, rule) SELECT DISTINCT \(root), o.Z_PK, "
            + "o.Z_ENT, \(index) FROM \(owners(requirement, table, target)) AND o.Z_ENT = \(number) "
            + "AND NOT \(Quarantine.isRefused("o.Z_PK", root: root))"))
    }
    return statements
  }

  /// SQL for the objects that had a target in the frontier and now have too few targets.
  private func owners(
    _ requirement: ValidationRule.Requirement, _ table: StoreLayout.Table, _ target: Int
  ) -> String {
    let storage = requirement.storage
    let owners = "main.\(quoted(table.name)) AS o"
    let frontier = "temp.decant_frontier AS f CROSS JOIN"
    guard storage.kind != .owners else {
      return "\(frontier) \(owners) WHERE f.root = \(target) AND o.\(quoted(storage.target)) = f.key"
    }
    let left =
      "(SELECT count(*) FROM (SELECT 1 FROM main.\(quoted(storage.table)) AS t "
      + "WHERE t.\(quoted(storage.owner)) = o.Z_PK "
      + "AND NOT \(Quarantine.isRefused("t.\(quoted(storage.target))", root: target)) LIMIT \(requirement.least)))"
    return "\(frontier) main.\(quoted(storage.table)) AS p CROSS JOIN \(owners) WHERE f.root = \(target) "
      + "AND p.\(quoted(storage.target)) = f.key AND o.Z_PK = p.\(quoted(storage.owner)) "
      + "AND \(left) < \(requirement.least)" + (requirement.allowsNone ? " AND \(left) > 0" : "")
  }
}
