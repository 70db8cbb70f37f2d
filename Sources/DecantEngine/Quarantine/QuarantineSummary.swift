internal import DecantModel
internal import DecantPasses
internal import DecantSQLite

/// Counts the refused objects by reason, from the marks in the working file.
struct QuarantineSummary {
  let quarantine: Quarantine
  let database: SQLiteDatabase

  /// The addition to a rule's words if it was broken only after other objects had been refused.
  static let following = ", because of objects in quarantine"

  func count() throws(SQLiteError) -> Int {
    try database.integer("SELECT count(*) FROM main.\(Quarantine.refused)")
  }

  /// The broken rules: first those that objects break by themselves, then those broken because of objects in
  /// quarantine.
  ///
  /// Uniqueness rules always belong to the second group.
  func findings() throws(SQLiteError) -> [StepFailure.Invalid] {
    let rows = try database.rows(
      "SELECT w.rule, r.round > 0, count(*) FROM main.\(Quarantine.reasons) AS w CROSS JOIN "
        + "main.\(Quarantine.refused) AS r WHERE r.root = w.root AND r.key = w.key GROUP BY 1, 2 ORDER BY 2, 1")
    var findings: [StepFailure.Invalid] = []
    for row in rows {
      guard let number = row[0].integer.flatMap({ Int(exactly: $0) }),
        let count = row[2].integer.flatMap({ Int(exactly: $0) })
      else { continue }
      let isFollower = row[1].integer == 1
      let keys = try database.rows(
        "SELECT w.key FROM main.\(Quarantine.reasons) AS w CROSS JOIN main.\(Quarantine.refused) AS r "
          + "WHERE w.rule = \(number) AND r.root = w.root AND r.key = w.key AND (r.round > 0) = \(isFollower ? 1 : 0) "
          + "ORDER BY w.root, w.key LIMIT 3"
      ).compactMap { $0.first?.integer }
      if quarantine.rules.indices.contains(number) {
        let rule = quarantine.rules[number]
        findings.append(
          .init(
            entity: rule.entity, property: rule.property, code: rule.code,
            words: rule.words + (isFollower ? Self.following : ""), count: count, keys: keys))
      } else if quarantine.uniqueness.indices.contains(number - quarantine.rules.count) {
        let rule = quarantine.uniqueness[number - quarantine.rules.count]
        findings.append(
          .init(
            entity: rule.entity, property: rule.property, code: rule.code, words: rule.words, count: count,
            keys: keys))
      }
    }
    return findings
  }
}
