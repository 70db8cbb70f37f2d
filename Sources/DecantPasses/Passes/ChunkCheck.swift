internal import DecantSQLite
package import DecantStore
internal import PredicateFormat

/// Checks that each row of an entity mapping satisfies exactly one of its chunk predicates.
///
/// Rows that the filter excludes aren't checked.
package struct ChunkCheck {
  private let plan: PassPlan
  private let now: Double

  package init(_ plan: PassPlan, now: Double) {
    self.plan = plan
    self.now = now
  }

  /// - Throws: `StepFailure.chunks`, `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  package func check(_ source: SourceStore, externalFolder: String) throws {
    let mappings = plan.mappings.filter {
      if case .predicates = $0.mapping.chunks { true } else { false }
    }
    guard !mappings.isEmpty else { return }
    let database = try PassSource(source, externalFolder: externalFolder, now: now).database
    var findings: [ChunkFinding] = []
    for mapping in mappings {
      do {
        if let finding = try finding(mapping, database) { findings.append(finding) }
      } catch let error as SQLiteError where error.isFunctionError {
        if let fault = try ExpressionFaultSearch(plan, mapping, database).chunkFault() {
          throw StepFailure.expression(fault)
        }
        throw StepFailure.badValue(place: plan.words(for: mapping), reason: error.message)
      }
    }
    guard findings.isEmpty else { throw StepFailure.chunks(findings) }
  }

  private func finding(_ mapping: PassPlan.Mapping, _ database: SQLiteDatabase) throws -> ChunkFinding? {
    let matches: String?
    do throws(NotSet) {
      matches = try CreateWork(plan, mapping).chunkMatches()
    } catch {
      return try walked(mapping, database)
    }
    guard let rows = matches else { return nil }
    let counts = try database.rows("SELECT sum(n = 0), sum(n > 1) FROM (\(rows))").first ?? []
    let numbers = counts.map { $0.integer.flatMap { Int(exactly: $0) } ?? 0 }
    guard numbers.count == 2, numbers[0] > 0 || numbers[1] > 0 else { return nil }
    func examples(_ condition: String) throws -> [Int64] {
      try database.rows("SELECT key FROM (\(rows)) WHERE \(condition) ORDER BY key LIMIT 3").compactMap {
        $0.first?.integer
      }
    }
    return ChunkFinding(
      place: plan.words(for: mapping), entity: mapping.source, none: numbers[0], several: numbers[1],
      examplesOfNone: numbers[0] > 0 ? try examples("n = 0") : [],
      examplesOfSeveral: numbers[1] > 0 ? try examples("n > 1") : [])
  }

  /// Checks a mapping with the evaluator, because a predicate or the filter isn't SQL.
  private func walked(_ mapping: PassPlan.Mapping, _ database: SQLiteDatabase) throws -> ChunkFinding? {
    let walk = try ChunkWalk(mapping, in: plan, database, now: now)
    guard walk.none > 0 || walk.several > 0 else { return nil }
    return ChunkFinding(
      place: plan.words(for: mapping), entity: mapping.source, none: walk.none, several: walk.several,
      examplesOfNone: walk.examplesOfNone, examplesOfSeveral: walk.examplesOfSeveral)
  }
}
