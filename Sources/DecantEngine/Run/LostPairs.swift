internal import DecantPasses
internal import DecantReport
internal import DecantSQLite
internal import DecantStore

/// Looks for the pairs of source relationships among the new objects.
///
/// A pair whose owner or target has no new object doesn't count here.
struct LostPairs {
  let plan: PassPlan
  let database: SQLiteDatabase
  /// Whether objects may have gone to quarantine.
  let hasQuarantine: Bool

  /// The temporary tables of the new objects at both ends of a relationship.
  ///
  /// `kept` is 1 if the object's entity mapping is in the question's `ownersReading` or `targetsReading`. The pairs of
  /// such an object aren't lost.
  private static let tables = ["decant_lost_owners", "decant_lost_targets"]

  /// - Parameter beat: Called before each question; an error ends the search.
  func losses(_ questions: [PairQuestion], beat: () throws -> Void) throws -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    defer { for table in Self.tables { try? database.execute("DROP TABLE IF EXISTS temp.\(table)") } }
    for question in questions {
      try beat()
      let values = try number(question)
      guard values > 0 else { continue }
      let known = losses.firstIndex {
        $0.entity == question.entity && $0.property == question.relationship
      }
      if let known {
        losses[known].values += values
      } else {
        losses.append(
          .init(
            kind: .relationship, entity: question.entity, property: question.relationship, values: values,
            cause: .unlinked))
      }
    }
    return losses
  }

  private func number(_ question: PairQuestion) throws -> Int {
    try fill(Self.tables[0], question.owners, reading: question.ownersReading)
    try fill(Self.tables[1], question.targets, reading: question.targetsReading)
    let (owners, targets) = (Self.tables[0], Self.tables[1])
    let owner = "p.\(quoted(question.storage.owner))"
    let target = "p.\(quoted(question.storage.target))"
    func exists(_ table: String, _ key: String, _ condition: String = "") -> String {
      "EXISTS (SELECT 1 FROM temp.\(table) AS e WHERE e.source = \(key)\(condition))"
    }
    var conditions = [
      exists(owners, owner), exists(targets, target), "NOT " + exists(owners, owner, " AND e.kept"),
      "NOT " + exists(targets, target, " AND e.kept"),
    ]
    for place in question.places {
      let (table, from) = (quoted(place.storage.table), quoted(place.storage.owner))
      let to = quoted(place.storage.target)
      let pair =
        "SELECT 1 FROM temp.\(owners) AS o CROSS JOIN temp.\(targets) AS t "
        + "JOIN main.\(table) AS d ON d.\(from) = o.destination AND d.\(to) = t.destination"
      let isOfPair = "o.source = \(owner) AND t.source = \(target)"
      let isOfRoots = "o.root = \(place.ownerRoot) AND t.root = \(place.targetRoot)"
      conditions.append("NOT EXISTS (\(pair) WHERE \(isOfPair) AND \(isOfRoots))")
    }
    return try database.integer(
      "SELECT count(*) FROM source.\(quoted(question.storage.table)) AS p WHERE "
        + conditions.joined(separator: " AND "))
  }

  private func fill(_ table: String, _ mappings: [PassPlan.Mapping], reading: Set<Int>) throws {
    try database.execute("DROP TABLE IF EXISTS temp.\(table)")
    try database.execute(
      "CREATE TEMP TABLE \(table) (source INTEGER, root INTEGER, destination INTEGER, kept INTEGER, mapping INTEGER, "
        + "PRIMARY KEY (source, root, destination)) WITHOUT ROWID")
    for mapping in mappings {
      let root = plan.destination.rootNumber(of: mapping.destination) ?? 0
      let associated = AssociatedKey("a", mapping, source: "s.Z_PK", in: plan)
      let (from, to) = (quoted(mapping.sourceTable.name), quoted(mapping.destinationTable.name))
      let isReading = reading.contains(mapping.number) ? 1 : 0
      let isTaken = "s.Z_ENT = \(mapping.sourceNumber)\(associated.condition)"
      let isThere = "EXISTS (SELECT 1 FROM main.\(to) AS d WHERE d.Z_PK = \(associated.key))"
      try database.execute(
        "INSERT OR IGNORE INTO temp.\(table) SELECT s.Z_PK, \(root), \(associated.key), \(isReading), "
          + "\(mapping.number) FROM source.\(from) AS s \(associated.join) WHERE \(isTaken) AND \(isThere)")
    }
    guard hasQuarantine else { return }
    // Objects in quarantine aren't lost. So a source object counts only if it still has an object of the entity
    // mapping.
    for mapping in mappings where try database.integer(PassQuarantine.left(mapping: mapping.number)) > 0 {
      try database.execute(
        "DELETE FROM temp.\(table) WHERE source IN (SELECT Z_PK FROM source.\(quoted(mapping.sourceTable.name)) "
          + "WHERE Z_ENT = \(mapping.sourceNumber)) AND source NOT IN "
          + "(SELECT source FROM temp.\(table) WHERE mapping = \(mapping.number))")
    }
  }
}
