internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Writes the pairs of `temp.decant_pairs` into a relationship's storage in the destination, for the owners in
/// `temp.decant_owners`.
///
/// The result is the same for every chunk size: if two owners claim one target, the later owner gets it.
struct DestinationLinks {
  /// One statement.
  struct Statement {
    let sql: String
    /// Whether the rows that it changes are pairs displaced by others.
    let displaces: Bool

    init(_ sql: String, displaces: Bool = false) {
      self.sql = sql
      self.displaces = displaces
    }
  }

  /// How the new pairs are combined with existing ones.
  enum Manner {
    /// They are all pairs of the owners.
    case whole
    /// One owner may occur in several chunks, with different pairs in each (`uniqueBy`).
    case shared
    /// Written at the step's end; pairs that are marked as added are added to the existing ones.
    case waiting
  }

  let layout: StoreLayout
  let relationship: Relationship
  let storage: RelationshipStorage
  let ownerTable: StoreLayout.Table
  let manner: Manner
  /// A unique name for the work that contains these statements.
  let work: String

  init(
    _ relationship: Relationship, _ storage: RelationshipStorage, of mapping: PassPlan.Mapping,
    in layout: StoreLayout, manner: Manner
  ) {
    self.layout = layout
    self.relationship = relationship
    self.storage = storage
    ownerTable = mapping.destinationTable
    self.manner = manner
    work = "\(mapping.number) \(relationship.name) \(manner)"
  }

  /// The temporary tables that the statements use: a chunk's owners and their pairs.
  ///
  /// Each pair has its position among the owner's pairs, the first and the latest source object that claims it, and
  /// whether it is added.
  static let tables = [
    "CREATE TEMP TABLE IF NOT EXISTS decant_owners (owner INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE IF NOT EXISTS decant_pairs (owner INTEGER, target INTEGER, place, source INTEGER, "
      + "latest INTEGER, added INTEGER, PRIMARY KEY (owner, target)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS temp.decant_pairs_target ON decant_pairs (target)",
    "CREATE TEMP TABLE IF NOT EXISTS decant_touched (object INTEGER PRIMARY KEY)",
    "DELETE FROM temp.decant_owners", "DELETE FROM temp.decant_pairs", "DELETE FROM temp.decant_touched",
  ]

  var statements: [Statement] {
    switch storage.kind {
    case .owners: toOne
    case .targets: toMany + (hasFormer ? [strikingOut] : [])
    case .join: manyToMany + (hasFormer ? [strikingOut] : [])
    }
  }

  /// If several owners claim a target, the one with the largest rank gets it.
  ///
  /// - Parameter rank: The column of the pairs with the latest source object that claims the target, or with the first.
  func oneOwner(by rank: String = "latest") -> Statement {
    Statement(
      "DELETE FROM temp.decant_pairs WHERE (owner, target) IN (SELECT owner, target FROM (SELECT owner, target, "
        + "row_number() OVER (PARTITION BY target ORDER BY \(rank) DESC, owner DESC) AS n FROM temp.decant_pairs) "
        + "WHERE n > 1)", displaces: true)
  }

  /// Ordering keys in the order of the pairs.
  ///
  /// Pairs of an owner that occurs again are numbered at the end.
  var numbering: [Statement] {
    guard storage.order != nil else { return [] }
    guard manner != .shared else { return [Statement("UPDATE temp.decant_pairs SET place = NULL")] }
    return [
      Statement(
        "UPDATE temp.decant_pairs SET place = x.n FROM (SELECT owner AS o, target AS t, "
          + OrderingKeys.key(number: "row_number() OVER (PARTITION BY owner ORDER BY place, target)")
          + " AS n FROM temp.decant_pairs) AS x "
          + "WHERE owner = x.o AND target = x.t")
    ]
  }

  /// SQL that makes a row lead to an object of a table: its key and, where it is stored, its entity number.
  static func leading(_ storage: RelationshipStorage, to key: String, in table: StoreLayout.Table?) -> String {
    var sets = (storage.single.map { ["\(quoted($0.column)) = \(key)"] } ?? [])
    if let entity = storage.entityColumn, let table {
      sets.append(
        "\(quoted(entity)) = (SELECT t.Z_ENT FROM main.\(quoted(table.name)) AS t WHERE t.Z_PK = \(key))")
    }
    return sets.joined(separator: ", ")
  }

  // MARK: Many-to-many

  private var manyToMany: [Statement] {
    let table = "main.\(quoted(storage.table))"
    let (owner, target) = (quoted(storage.owner), quoted(storage.target))
    var statements = numbering
    if manner == .whole {
      statements.append(
        Statement(
          "DELETE FROM \(table) WHERE \(owner) IN (SELECT owner FROM temp.decant_owners) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = \(owner) AND p.target = \(target))",
          displaces: true))
    }
    let columns = [owner, target] + (storage.order.map { [quoted($0)] } ?? [])
    let values = ["owner", "target"] + (storage.order == nil ? [] : ["place"])
    statements.append(
      Statement(
        "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) "
          + "SELECT \(values.joined(separator: ", ")) FROM temp.decant_pairs WHERE added ORDER BY owner, target"
      ))
    if let order = storage.order, manner != .shared {
      statements.append(
        Statement(
          // The pluses keep SQLite from reading the table in the order of an index.
          "UPDATE \(table) SET \(quoted(order)) = p.place FROM temp.decant_pairs AS p "
            + "WHERE \(owner) = +p.owner AND \(target) = +p.target"))
    }
    return statements
  }
}
