internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The statements that write the pairs of `temp.decant_pairs` into a relationship's storage in the destination, for the
/// owners in `temp.decant_owners`.
///
/// The result is the same for every chunk size.
struct DestinationLinks {
  struct Statement {
    let sql: String
    /// Whether each row that the statement changes counts as a removed or replaced pair.
    let displaces: Bool

    init(_ sql: String, displaces: Bool = false) {
      self.sql = sql
      self.displaces = displaces
    }
  }

  /// How the new pairs are combined with existing pairs.
  enum Manner {
    /// The new pairs are all pairs of the owners; the owners' other pairs are removed.
    case whole
    /// With `uniqueBy`, one owner may occur in several chunks, with different pairs in each.
    ///
    /// Former pairs that no chunk sets again are removed.
    case shared
    /// The work runs at the step's end. Pairs that are marked as added are added to the existing pairs.
    case waiting
  }

  let layout: StoreLayout
  let relationship: Relationship
  let storage: RelationshipStorage
  let ownerTable: StoreLayout.Table
  /// The table of the relationship's destination entity.
  let targetTable: StoreLayout.Table
  let isOwnInverse: Bool
  let manner: Manner
  /// Whether an ordered relationship keeps the source's order; false with `uniqueBy`, because an owner can have several
  /// source objects.
  let setsOrder: Bool
  /// A unique name for the work that contains these statements.
  let work: String

  init(
    _ relationship: Relationship, _ storage: RelationshipStorage, of mapping: PassPlan.Mapping,
    to targetTable: StoreLayout.Table, in layout: StoreLayout, manner: Manner
  ) {
    self.layout = layout
    self.relationship = relationship
    self.storage = storage
    ownerTable = mapping.destinationTable
    self.targetTable = targetTable
    isOwnInverse = layout.model.isOwnInverse(relationship.name, of: mapping.destination)
    self.manner = manner
    setsOrder = mapping.mapping.uniqueBy == nil
    work = "\(mapping.number) \(relationship.name) \(manner)"
  }

  /// SQL for the temporary tables that the statements use: a chunk's owners, their pairs, and the objects whose
  /// existing pairs may change (`decant_touched`).
  ///
  /// The row of a pair also has the pair's position among the owner's pairs, the key of the first source object that
  /// gives the pair, and whether the pair is added.
  static let tables = [
    "CREATE TEMP TABLE IF NOT EXISTS decant_owners (owner INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE IF NOT EXISTS decant_pairs (owner INTEGER, target INTEGER, place, source INTEGER, "
      + "added INTEGER, PRIMARY KEY (owner, target)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS temp.decant_pairs_target ON decant_pairs (target)",
    "CREATE TEMP TABLE IF NOT EXISTS decant_touched (object INTEGER PRIMARY KEY)",
    "DELETE FROM temp.decant_owners", "DELETE FROM temp.decant_pairs", "DELETE FROM temp.decant_touched",
  ]

  var statements: [Statement] {
    switch storage.kind {
    case .owners: toOne
    case .targets: toMany
    case .join: manyToMany + struckOut
    }
  }

  /// Statements that leave each target with one owner.
  ///
  /// Of several owners in this work, the one with the largest key gets the target. With `uniqueBy`, the others may
  /// follow in later chunks. So the targets that this work has set are saved. At the step's end a target keeps the
  /// owner that a later mapping has set.
  ///
  /// - Parameter end: The targets' table, its column of the targets' keys, and its column of the owners' keys.
  func oneOwner(_ end: (table: String, target: String, owner: String)) -> [Statement] {
    let rank = Statement(
      "DELETE FROM temp.decant_pairs WHERE (owner, target) IN (SELECT owner, target FROM (SELECT owner, target, "
        + "row_number() OVER (PARTITION BY target ORDER BY owner DESC) AS n FROM temp.decant_pairs) "
        + "WHERE n > 1)", displaces: true)
    guard manner != .whole else { return [rank] }
    let claims = "main.\(Associations.claims)"
    let (set, setAtEnd) = (SQLLiteral.string("\(work) targets"), setAtEnd(end.table, end.owner))
    let (target, owner) = ("t.\(quoted(end.target))", "t.\(quoted(end.owner))")
    func isIn(_ set: String) -> String {
      "EXISTS (SELECT 1 FROM \(claims) AS c WHERE c.work = \(set) AND c.object = decant_pairs.target)"
    }
    let isKept =
      manner == .waiting
      ? "\(owner) <> decant_pairs.owner AND CASE WHEN \(isIn(set)) THEN \(owner) > decant_pairs.owner "
        + "ELSE NOT \(isIn(setAtEnd)) END"
      : "\(owner) > decant_pairs.owner AND \(isIn(set))"
    return [
      rank,
      Statement(
        "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM main.\(quoted(end.table)) AS t "
          + "WHERE \(target) = decant_pairs.target AND \(isKept))", displaces: true),
    ]
      + (manner == .waiting
        ? [
          // A pair that a later mapping has set stays that mapping's pair, also if this work has the same pair.
          Statement(
            "INSERT OR IGNORE INTO \(claims) (work, object) SELECT \(setAtEnd), target FROM temp.decant_pairs "
              + "WHERE added AND NOT EXISTS (SELECT 1 FROM main.\(quoted(end.table)) AS t "
              + "WHERE \(target) = decant_pairs.target AND \(owner) = decant_pairs.owner)")
        ] : [])
      + [
        Statement(
          "INSERT OR IGNORE INTO \(claims) (work, object) SELECT \(set), target FROM temp.decant_pairs WHERE added"
        )
      ]
  }

  /// The name under which works at the step's end save the targets that they set.
  ///
  /// These targets were made in a later pass than their new owners. So a former owner comes from a later mapping, or
  /// from another work at the step's end. The last of these works decides, because they are in the order of their
  /// mappings.
  ///
  /// - Parameters:
  ///   - table: The table of the targets.
  ///   - column: Its column of the owners' keys.
  func setAtEnd(_ table: String, _ column: String) -> String {
    SQLLiteral.string("\(table) \(column) targets at the end")
  }

  /// Ordering keys in the order of the pairs.
  ///
  /// With `uniqueBy`, an owner can have several source objects, whose lists have no common order. Then the targets get
  /// ordering keys when the step ends, in the order of their primary keys.
  var numbering: [Statement] {
    guard storage.order != nil else { return [] }
    guard setsOrder else { return [Statement("UPDATE temp.decant_pairs SET place = NULL")] }
    return [
      Statement(
        "UPDATE temp.decant_pairs SET place = x.n FROM (SELECT owner AS o, target AS t, "
          + OrderingKeys.key(number: "row_number() OVER (PARTITION BY owner ORDER BY place, target)")
          + " AS n FROM temp.decant_pairs) AS x "
          + "WHERE owner = x.o AND target = x.t")
    ]
  }

  /// SQL that links a row to an object: it assigns the object's key and, if there is a column for it, the object's
  /// entity number.
  static func leading(_ storage: RelationshipStorage, to key: String, in table: StoreLayout.Table) -> String {
    var sets = (storage.single.map { ["\(quoted($0.column)) = \(key)"] } ?? [])
    if let entity = storage.entityColumn {
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
    if let order = storage.order, setsOrder {
      statements.append(
        Statement(
          // The pluses keep SQLite from reading the table in the order of an index.
          "UPDATE \(table) SET \(quoted(order)) = p.place FROM temp.decant_pairs AS p "
            + "WHERE \(owner) = +p.owner AND \(target) = +p.target"))
    }
    return statements
  }
}
