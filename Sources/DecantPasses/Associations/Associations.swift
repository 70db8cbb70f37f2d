internal import DecantSQLite

/// The tables of associations: from which source object each migrated object was made, by entity mapping.
///
/// A row of `runs` is a run: `length` source keys from `first` on, whose destination keys count up from `destination`.
/// Objects that `uniqueBy` makes may have blocks instead (`PassPlan.hasBlocks`), because several source objects can
/// share such an object.
package enum Associations {
  package static let runs = "Z_DECANT_RUNS"
  package static let shared = "Z_DECANT_SHARED"
  package static let keys = "Z_DECANT_KEYS"
  package static let values = "Z_DECANT_VALUES"
  package static let claims = "Z_DECANT_CLAIMS"
  package static let pairs = "Z_DECANT_PAIRS"
  package static let former = "Z_DECANT_FORMER"

  /// The tables that are in the working file while it is being filled.
  package static let workTables = [
    runs:
      "CREATE TABLE \(runs) (mapping INTEGER, first INTEGER, length INTEGER, destination INTEGER, "
      + "PRIMARY KEY (mapping, first)) WITHOUT ROWID",
    shared:
      "CREATE TABLE \(shared) (mapping INTEGER, first INTEGER, objects INTEGER, destinations TEXT, "
      + "PRIMARY KEY (mapping, first))",
    // Associations by policies that don't fit runs. `root` is the number of the destination table's root entity.
    pairs:
      "CREATE TABLE \(pairs) (mapping INTEGER, source INTEGER, root INTEGER, destination INTEGER, "
      + "PRIMARY KEY (mapping, source, root, destination)) WITHOUT ROWID",
    // The next free key of a destination table, by the number of the table's root entity.
    keys: "CREATE TABLE \(keys) (root INTEGER PRIMARY KEY, next INTEGER)",
    // The values of `uniqueBy` that have an object, with the first source object that had the value.
    values:
      "CREATE TABLE \(values) (mapping INTEGER, value, destination INTEGER, first INTEGER, "
      + "PRIMARY KEY (mapping, value)) WITHOUT ROWID",
    // Relationship pairs of objects made by `uniqueBy`. The pairs existed before a piece of work began, and the work
    // hasn't set them again yet.
    former:
      "CREATE TABLE \(former) (work TEXT, owner INTEGER, target INTEGER, place INTEGER, PRIMARY KEY (work, owner, target)) "
      + "WITHOUT ROWID",
    // By the name of a piece of work: the owners that have claimed a target, or had one before the piece began. By the
    // same name with “targets”: the targets to which the piece has given an owner.
    claims: "CREATE TABLE \(claims) (work TEXT, object INTEGER, PRIMARY KEY (work, object)) WITHOUT ROWID",
  ]

  /// Joins a run to a source key; then `alias` is the run, and `key(of:for:)` gives the destination key.
  static func join(_ alias: String, mapping: Int, source key: String) -> String {
    "JOIN main.\(runs) AS \(alias) ON \(alias).mapping = \(mapping) AND \(alias).first = "
      + "(SELECT max(first) FROM main.\(runs) WHERE mapping = \(mapping) AND first <= \(key)) "
      + "AND \(key) - \(alias).first < \(alias).length"
  }

  /// Joins the associations of a source key that are in the table `pairs`; the source key may have a run, too.
  static func pairJoin(_ alias: String, mapping: Int, root: Int, source key: String) -> String {
    "JOIN main.\(pairs) AS \(alias) ON \(alias).mapping = \(mapping) AND \(alias).root = \(root) "
      + "AND \(alias).source = \(key)"
  }

  /// The destination key of a source key whose run has been joined.
  static func key(of alias: String, for source: String) -> String {
    "(\(alias).destination + (\(source) - \(alias).first))"
  }

  /// The number of source objects that a mapping has associated.
  package static func count(mapping: Int) -> String {
    "SELECT (SELECT ifnull(sum(length), 0) FROM main.\(runs) WHERE mapping = \(mapping)) + "
      + "(SELECT ifnull(sum(objects), 0) FROM main.\(shared) WHERE mapping = \(mapping)) + "
      + "(SELECT count(DISTINCT source) FROM main.\(pairs) AS p WHERE mapping = \(mapping) AND NOT EXISTS "
      + "(SELECT 1 FROM main.\(runs) AS r WHERE r.mapping = \(mapping) AND r.first <= p.source "
      + "AND p.source < r.first + r.length AND r.first = (SELECT max(first) FROM main.\(runs) "
      + "WHERE mapping = \(mapping) AND first <= p.source)))"
  }

  /// The number of all associations.
  package static let total =
    "SELECT (SELECT ifnull(sum(length), 0) FROM main.\(runs)) + (SELECT ifnull(sum(objects), 0) FROM main.\(shared)) "
    + "+ (SELECT count(*) FROM main.\(pairs))"

  /// The number of objects of an entity that are associated with at least one source object.
  ///
  /// - Parameters:
  ///   - root: The number of the root entity of the table.
  ///   - mappings: The numbers of the mappings that make objects in the table.
  package static func objects(entity: Int, table: String, root: Int, mappings: [Int]) -> String {
    let table = quoted(table)
    let numbers = mappings.map(String.init).joined(separator: ", ")
    let inRuns =
      "FROM main.\(runs) AS r JOIN main.\(table) AS t ON t.Z_PK >= r.destination "
      + "AND t.Z_PK < r.destination + r.length WHERE r.mapping IN (\(numbers)) AND t.Z_ENT = \(entity)"
    // Objects that are in two runs, or in a run and a pair, count once.
    return "SELECT count(*) FROM (SELECT t.Z_PK \(inRuns) UNION "
      + "SELECT t.Z_PK FROM main.\(pairs) AS p JOIN main.\(table) AS t ON t.Z_PK = p.destination "
      + "WHERE p.root = \(root) AND t.Z_ENT = \(entity))"
  }

  /// The number of objects of an entity whose keys are outside the runs of their table.
  ///
  /// If the table `pairs` is empty, these objects have no association. The objects inside the runs, usually most of the
  /// table, aren't read.
  package static func objectsBetween(entity: Int, table: String, mappings: [Int]) -> String {
    let numbers = mappings.map(String.init).joined(separator: ", ")
    let least = "\(Int64.min)"
    let before = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
    return "WITH led (first, behind) AS (SELECT destination, destination + length FROM main.\(runs) "
      + "WHERE mapping IN (\(numbers))), gaps (least, greatest) AS ("
      + "SELECT ifnull(max(behind) OVER (ORDER BY first \(before)), \(least)), first - 1 FROM led "
      + "UNION ALL SELECT ifnull(max(behind), \(least)), \(Int64.max) FROM led) "
      + "SELECT count(*) FROM gaps AS g CROSS JOIN main.\(quoted(table)) AS t "
      + "ON t.Z_PK BETWEEN g.least AND g.greatest WHERE t.Z_ENT = \(entity)"
  }

  /// The number of source objects in the runs of some mappings.
  package static func length(mappings: [Int]) -> String {
    "SELECT ifnull(sum(length), 0) FROM main.\(runs) "
      + "WHERE mapping IN (\(mappings.map(String.init).joined(separator: ", ")))"
  }
}
