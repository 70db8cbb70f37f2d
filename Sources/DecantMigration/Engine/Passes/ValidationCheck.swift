internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// Looks at the objects that mapping models have made, by the rules of the destination model.
struct ValidationCheck {
  let plan: PassPlan
  /// What happens where a mapping model doesn't say; heavy steps fail.
  let mode: ValidationMode?

  /// What `decant` says of the objects that may stay as they are.
  ///
  /// - Throws: `StepFailure.invalid` where some may not, `SQLiteError`.
  func warnings(in database: SQLiteDatabase) throws -> [String] {
    var refused: [StepFailure.Invalid] = []
    var reported: [StepFailure.Invalid] = []
    var unchecked: [String] = []
    let modes = Dictionary(
      plan.mappings.map { ($0.destination, $0.validation ?? mode ?? .fail) },
      uniquingKeysWith: { $0 == .fail ? $0 : $1 })
    for (entity, mode) in modes.sorted(by: { $0.key < $1.key }) {
      let rules = ValidationRule.rules(of: entity, in: plan.destination) { unchecked.append($0) }
      let found = try findings(entity, rules, in: database)
      if mode == .report { reported += found } else { refused += found }
    }
    guard refused.isEmpty else { throw StepFailure.invalid(refused) }
    return reported.map { "\($0); brought over all the same, and Core Data refuses to save such objects." }
      + unchecked.map { "Not checked: \($0)." }
  }

  private func findings(
    _ entity: String, _ rules: [ValidationRule], in database: SQLiteDatabase
  ) throws -> [StepFailure.Invalid] {
    guard !rules.isEmpty, let table = plan.destination.table(of: entity),
      let number = plan.destination.entityNumbers[entity]
    else { return [] }
    let rows = "FROM main.\(quoted(table.name)) AS s WHERE s.Z_ENT = \(number)"
    var findings: [StepFailure.Invalid] = []
    do {
      // One look at the table for some rules at a time, which SQLite limits.
      for start in stride(from: 0, to: rules.count, by: 50) {
        let some = rules[start..<min(start + 50, rules.count)]
        let sums = some.map { "ifnull(sum(\($0.broken)), 0)" }.joined(separator: ", ")
        let counts = try database.rows("SELECT \(sums) \(rows)").first ?? []
        for (rule, count) in zip(some, counts) {
          guard let count = count.integer.flatMap({ Int(exactly: $0) }), count > 0 else { continue }
          let keys = try database.rows("SELECT s.Z_PK \(rows) AND (\(rule.broken)) ORDER BY 1 LIMIT 3")
            .compactMap { $0.first?.integer }
          findings.append(
            .init(
              entity: entity, property: rule.property, code: rule.code, words: rule.words, count: count,
              keys: keys)
          )
        }
      }
    } catch {
      throw error.isFunctionError ? StepFailure.badValue(work: entity, reason: error.message) : error
    }
    return findings
  }
}
