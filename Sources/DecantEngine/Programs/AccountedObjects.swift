internal import DecantPasses
internal import DecantSQLite

/// Counts the objects that an entity mapping has made, by its associations.
///
/// Their number may differ from that of the source objects. A policy can make several objects from one source object,
/// several source objects can share one object, and a quarantine removes objects.
struct AccountedObjects {
  let plan: PassPlan
  let database: SQLiteDatabase

  /// - Parameter migrated: The number of migrated source objects.
  /// - Returns: The numbers `made` and `further` of docs/glossary.md. An object that several source objects share
  ///   counts for the source object with the lowest key.
  func count(of mapping: PassPlan.Mapping, migrated: Int) throws -> (made: Int, further: Int) {
    let number = mapping.number
    let hasPairs =
      try database.integer("SELECT EXISTS (SELECT 1 FROM main.\(Associations.pairs) WHERE mapping = \(number))")
      > 0
    // Without pairs and `uniqueBy`, each migrated source object has exactly one object of its own.
    if !hasPairs, mapping.mapping.uniqueBy == nil { return (migrated, 0) }
    let root = plan.destination.rootNumber(of: mapping.destination) ?? 0
    let filtered = try? CreateWork(plan, mapping).filtered()
    let row = try database.rows(
      "WITH RECURSIVE run (source, root, destination, rest) AS ("
        + "SELECT first, \(root), destination, length - 1 FROM main.\(Associations.runs) WHERE mapping = \(number) "
        + "UNION ALL SELECT source + 1, root, destination + 1, rest - 1 FROM run WHERE rest > 0), "
        + "led (source, root, destination) AS (SELECT source, root, destination FROM run UNION ALL "
        + "SELECT source, root, destination FROM main.\(Associations.pairs) WHERE mapping = \(number)), "
        + "objects (first) AS (SELECT min(l.source) FROM led AS l "
        + "CROSS JOIN source.\(quoted(mapping.sourceTable.name)) AS s WHERE s.Z_PK = l.source "
        + "AND s.Z_ENT = \(mapping.sourceNumber)\(filtered.map { " AND NOT (\($0))" } ?? "") "
        + "GROUP BY l.root, l.destination) SELECT count(DISTINCT first), count(*) FROM objects"
    ).first
    let counts = (row ?? []).map { $0.integer.flatMap { Int(exactly: $0) } ?? 0 }
    guard counts.count == 2 else { return (migrated, 0) }
    return (min(counts[0], migrated), max(0, counts[1] - counts[0]))
  }
}
