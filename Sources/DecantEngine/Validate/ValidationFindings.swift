internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Counts the objects of an entity that break rules.
struct ValidationFindings {
  let layout: StoreLayout
  let database: SQLiteDatabase
  /// Finds the source objects of objects; `nil` for an inferred step, whose objects have the keys of their source
  /// objects.
  var origins: ObjectOrigins?

  /// The broken rules of one entity, by their indexes in `rules`.
  ///
  /// - Throws: `SQLiteError`. It is a function error if a value can't be read.
  func broken(
    _ rules: [ValidationRule], of entity: String
  ) throws(SQLiteError) -> [(index: Int, count: Int)] {
    guard let rows = rows(of: entity) else { return [] }
    var found: [(index: Int, count: Int)] = []
    // Each scan of the table checks some of the rules, because SQLite limits the number of columns.
    for start in stride(from: 0, to: rules.count, by: 50) {
      let some = rules[start..<min(start + 50, rules.count)]
      let sums = some.map { "ifnull(sum(\($0.broken)), 0)" }.joined(separator: ", ")
      let counts = try database.rows("SELECT \(sums) \(rows)").first ?? []
      for (index, count) in zip(some.indices, counts) {
        guard let count = count.integer.flatMap({ Int(exactly: $0) }), count > 0 else { continue }
        found.append((index, count))
      }
    }
    return found
  }

  /// The broken rules as findings, with some keys.
  ///
  /// - Throws: `StepFailure.badValue`, `SQLiteError`.
  func findings(_ rules: [ValidationRule], of entity: String) throws -> [StepFailure.Invalid] {
    guard !rules.isEmpty, let rows = rows(of: entity) else { return [] }
    var findings: [StepFailure.Invalid] = []
    do {
      for (index, count) in try broken(rules, of: entity) {
        let rule = rules[index]
        let keys = try database.rows("SELECT s.Z_PK \(rows) AND (\(rule.broken)) ORDER BY 1 LIMIT 3")
          .compactMap { $0.first?.integer }
        var found = StepFailure.Invalid(
          entity: entity, property: rule.property, code: rule.code, words: rule.words, count: count, keys: keys)
        for key in keys { found.origins[key] = try origins?.origin(of: entity, key: key) }
        findings.append(found)
      }
    } catch {
      throw error.isFunctionError
        ? StepFailure.badValue(place: "The rules of entity “\(entity)”", reason: error.message) : error
    }
    return findings
  }

  /// The SQL after `SELECT …` for the objects of an entity; `nil` if the entity has no table.
  func rows(of entity: String) -> String? {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else { return nil }
    return "FROM main.\(quoted(table.name)) AS s WHERE s.Z_ENT = \(number)"
  }
}
