internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantStore

/// Applies quarantine to the association tables.
///
/// It finds the source objects of refused objects, and removes the associations of refused objects.
package struct PassQuarantine {
  let plan: PassPlan

  /// The work table that has, for each mapping, the number of source objects that lost all their destination objects.
  private static let left = "Z_DECANT_LEFT"

  static let workTables = Quarantine.workTables.merging([
    left: "CREATE TABLE \(left) (mapping INTEGER PRIMARY KEY, rows INTEGER)"
  ]) { own, _ in own }

  static func left(mapping: Int) -> String {
    "SELECT ifnull(sum(rows), 0) FROM main.\(left) WHERE mapping = \(mapping)"
  }

  /// - Parameter modes: The treatment of invalid objects, by destination entity.
  func quarantine(of modes: [String: ValidationMode], derived: [Work]) -> Quarantine? {
    let entities = modes.filter { $0.value == .quarantine }.map(\.key)
    return Quarantine(
      entities, in: plan.destination, origins: plan.mappings.flatMap(origins),
      own: plan.mappings.compactMap(forgetting), derived: derived)
  }

  /// SQL for each refused object (`r`) in a run of the mapping, with this run (`a`).
  private func hits(_ mapping: PassPlan.Mapping, root: Int, schema: String) -> String {
    "FROM \(schema).\(Associations.runs) AS a CROSS JOIN \(schema).\(Quarantine.refused) AS r "
      + "WHERE a.mapping = \(mapping.number) AND r.root = \(root) "
      + "AND r.key BETWEEN a.destination AND a.destination + a.length - 1"
  }

  private func origins(_ mapping: PassPlan.Mapping) -> [Quarantine.Origin] {
    guard let root = plan.destination.rootNumber(of: mapping.destination) else { return [] }
    let statements = [
      "SELECT r.root AS root, r.key AS key, a.first + (r.key - a.destination) AS source "
        + hits(mapping, root: root, schema: "whole"),
      "SELECT r.root AS root, r.key AS key, p.source AS source FROM whole.\(Associations.pairs) AS p "
        + "CROSS JOIN whole.\(Quarantine.refused) AS r "
        + "WHERE p.mapping = \(mapping.number) AND r.root = p.root AND r.key = p.destination",
    ]
    return statements.map { .init(sourceEntity: mapping.source, statement: $0) }
  }

  /// Removes refused objects from the mapping's associations, and counts the source objects that lose all their
  /// objects.
  private func forgetting(_ mapping: PassPlan.Mapping) -> Work? {
    guard let root = plan.destination.rootNumber(of: mapping.destination) else { return nil }
    let count = Associations.count(mapping: mapping.number)
    return Work(
      "associations of \(mapping.mapping.name)", stage: .validate,
      statements: [
        "INSERT OR REPLACE INTO main.\(Self.left) (mapping, rows) VALUES (\(mapping.number), (\(count)))",
        "CREATE TEMP TABLE decant_hits AS SELECT a.first AS first, a.length AS length, "
          + "a.destination AS destination, r.key AS key \(hits(mapping, root: root, schema: "main"))",
        "DELETE FROM main.\(Associations.runs) WHERE mapping = \(mapping.number) "
          + "AND first IN (SELECT first FROM temp.decant_hits)",
        "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) "
          + "SELECT \(mapping.number), first + (low - destination), high - low + 1, low FROM "
          + "(SELECT first, destination, lag(key, 1, destination - 1) OVER (PARTITION BY first ORDER BY key) + 1 AS low, "
          + "key - 1 AS high FROM temp.decant_hits "
          + "UNION ALL SELECT first, destination, max(key) + 1, destination + length - 1 FROM temp.decant_hits "
          + "GROUP BY first) WHERE high >= low",
        "DROP TABLE temp.decant_hits",
        "DELETE FROM main.\(Associations.pairs) WHERE mapping = \(mapping.number) AND EXISTS "
          + "(SELECT 1 FROM main.\(Quarantine.refused) AS z WHERE z.root = \(Associations.pairs).root "
          + "AND z.key = \(Associations.pairs).destination)",
        "UPDATE main.\(Self.left) SET rows = rows - (\(count)) WHERE mapping = \(mapping.number)",
      ])
  }
}
