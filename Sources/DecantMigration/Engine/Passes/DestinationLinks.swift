internal import DecantModel
internal import DecantStore

/// Writes the pairs of `temp.decant_pairs` into the place where a destination keeps a relationship, for the owners of
/// `temp.decant_owners`.
struct DestinationLinks {
  private let layout: StoreLayout
  private let relationship: Relationship
  private let entity: String
  private let storage: RelationshipStorage
  private let ownerTable: StoreLayout.Table
  private let targetTable: StoreLayout.Table
  /// Whether one owner can come up in several chunks, each with pairs of its own (`uniqueBy`).
  private let isSharedOwner: Bool

  /// - Returns: `nil` where the relationship isn't stored.
  init?(_ relationship: Relationship, of entity: String, in layout: StoreLayout, isSharedOwner: Bool) {
    guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout),
      let ownerTable = layout.table(of: entity),
      let targetTable = layout.table(of: relationship.destinationEntityName)
    else { return nil }
    self.layout = layout
    self.relationship = relationship
    self.entity = entity
    self.storage = storage
    self.ownerTable = ownerTable
    self.targetTable = targetTable
    self.isSharedOwner = isSharedOwner
  }

  /// - Parameter adding: Whether the pairs come on top of what is there; otherwise they are all there is.
  func statements(adding: Bool) -> [String] {
    let adding = adding || isSharedOwner
    switch storage.kind {
    case .owners: return toOne(adding: adding)
    case .targets: return toMany(adding: adding)
    case .join: return manyToMany(adding: adding)
    }
  }

  // MARK: To-one

  /// One target for each owner: the first by place, or the one that is there where pairs are added.
  private func toOne(adding: Bool) -> [String] {
    let table = "main.\(quoted(ownerTable.name))"
    let column = quoted(storage.target)
    var statements: [String] = []
    let inverse = layout.model.inverse(of: relationship)
    // One target for an owner.
    statements.append(
      "DELETE FROM temp.decant_pairs WHERE EXISTS (SELECT 1 FROM temp.decant_pairs AS o "
        + "WHERE o.owner = decant_pairs.owner AND (o.place, o.target) < (decant_pairs.place, decant_pairs.target))")
    if !adding {
      if let inverse, !inverse.relationship.isToMany { statements += releases(of: inverse) }
      statements.append(
        "UPDATE \(table) SET \(cleared().joined(separator: ", ")) WHERE Z_PK IN (SELECT owner FROM "
          + "temp.decant_owners) AND \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp.decant_pairs AS p "
          + "WHERE p.owner = Z_PK AND p.target = \(column))")
    }
    var sets = ["\(column) = p.target"]
    if let entity = layout.toOneEntityColumn(relationship.name, of: entity) {
      sets.append(
        "\(quoted(entity)) = (SELECT t.Z_ENT FROM main.\(quoted(targetTable.name)) AS t WHERE t.Z_PK = p.target)")
    }
    statements.append(
      "UPDATE \(table) SET \(sets.joined(separator: ", ")) FROM temp.decant_pairs AS p WHERE Z_PK = p.owner"
        + (isSharedOwner ? " AND \(column) IS NULL" : ""))
    if let inverse, !inverse.relationship.isToMany { statements += otherEnd(inverse) }
    return statements
  }

  /// What a to-one end consists of, set to nil.
  private func cleared() -> [String] {
    ([storage.target]
      + [
        layout.toOneEntityColumn(relationship.name, of: entity),
        layout.orderColumn(relationship.name, of: entity),
      ].compactMap { $0 }).map { "\(quoted($0)) = NULL" }
  }

  private func column(
    _ inverse: (entity: Entity, relationship: Relationship)
  ) -> (table: String, key: String, entity: String?)? {
    guard let table = layout.table(of: inverse.entity.name),
      let key = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name)
    else { return nil }
    return (
      table.name, key, layout.toOneEntityColumn(inverse.relationship.name, of: inverse.entity.name)
    )
  }

  /// The objects that the owners let go no longer lead back to them.
  private func releases(of inverse: (entity: Entity, relationship: Relationship)) -> [String] {
    guard let other = column(inverse) else { return [] }
    let cleared = ([other.key] + [other.entity].compactMap { $0 }).map { "\(quoted($0)) = NULL" }
    return [
      "UPDATE main.\(quoted(other.table)) SET \(cleared.joined(separator: ", ")) WHERE \(quoted(other.key)) IN "
        + "(SELECT owner FROM temp.decant_owners) AND NOT EXISTS (SELECT 1 FROM temp.decant_pairs AS p "
        + "WHERE p.owner = \(quoted(other.key)) AND p.target = Z_PK)"
    ]
  }

  /// The other to-one end: targets lead to their new owners, and former owners lose them.
  private func otherEnd(_ inverse: (entity: Entity, relationship: Relationship)) -> [String] {
    guard let other = column(inverse) else { return [] }
    var sets = ["\(quoted(other.key)) = p.owner"]
    if let entity = other.entity {
      sets.append(
        "\(quoted(entity)) = (SELECT t.Z_ENT FROM main.\(quoted(ownerTable.name)) AS t WHERE t.Z_PK = p.owner)")
    }
    return [
      // A target that moves leaves its old owner; of two owners in one chunk the later has it.
      "UPDATE main.\(quoted(ownerTable.name)) SET \(cleared().joined(separator: ", ")) WHERE \(quoted(storage.target)) "
        + "IN (SELECT target FROM temp.decant_pairs) AND Z_PK <> (SELECT max(p.owner) FROM temp.decant_pairs AS p "
        + "WHERE p.target = \(quoted(storage.target)))",
      "UPDATE main.\(quoted(other.table)) SET \(sets.joined(separator: ", ")) FROM "
        + "(SELECT target, max(owner) AS owner FROM temp.decant_pairs GROUP BY target) AS p WHERE Z_PK = p.target",
    ]
  }

  // MARK: To-many

  /// The targets' own column: each has one owner, the last that asks for it.
  private func toMany(adding: Bool) -> [String] {
    let table = "main.\(quoted(storage.table))"
    let column = quoted(storage.owner)
    var sets = ["\(column) = p.owner"]
    var cleared = ["\(column) = NULL"]
    if let inverse = layout.model.inverse(of: relationship) {
      if let entity = layout.toOneEntityColumn(inverse.relationship.name, of: inverse.entity.name) {
        sets.append(
          "\(quoted(entity)) = (SELECT t.Z_ENT FROM main.\(quoted(ownerTable.name)) AS t WHERE t.Z_PK = p.owner)")
        cleared.append("\(quoted(entity)) = NULL")
      }
    }
    if let order = storage.order {
      sets.append("\(quoted(order)) = p.place")
      cleared.append("\(quoted(order)) = NULL")
    }
    var statements: [String] = []
    if !adding {
      statements.append(
        "UPDATE \(table) SET \(cleared.joined(separator: ", ")) WHERE \(column) IN (SELECT owner FROM "
          + "temp.decant_owners) AND NOT EXISTS (SELECT 1 FROM temp.decant_pairs AS p "
          + "WHERE p.owner = \(column) AND p.target = Z_PK)")
    }
    statements.append(
      // SQLite takes the place from the row that has the maximum.
      "UPDATE \(table) SET \(sets.joined(separator: ", ")) FROM (SELECT max(owner) AS owner, target, place FROM "
        + "(SELECT owner, target, \(place) AS place FROM temp.decant_pairs) GROUP BY target) AS p "
        + "WHERE Z_PK = p.target")
    return statements
  }

  /// 2048 + 1024 n in the order of the pairs (core-data-sqlite.md 7, “Ordering keys”); where pairs are added a place
  /// is found after the last one at the end.
  private var place: String {
    isSharedOwner ? "NULL" : "1024 + 1024 * row_number() OVER (PARTITION BY owner ORDER BY place, target)"
  }

  // MARK: Many-to-many

  private func manyToMany(adding: Bool) -> [String] {
    let table = "main.\(quoted(storage.table))"
    let (owner, target) = (quoted(storage.owner), quoted(storage.target))
    var statements: [String] = []
    if !adding {
      statements.append(
        "DELETE FROM \(table) WHERE \(owner) IN (SELECT owner FROM temp.decant_owners) AND NOT EXISTS "
          + "(SELECT 1 FROM temp.decant_pairs AS p WHERE p.owner = \(owner) AND p.target = \(target))")
    }
    let columns = [owner, target] + (storage.order.map { [quoted($0)] } ?? [])
    let values = ["owner", "target"] + (storage.order == nil ? [] : [place])
    statements.append(
      "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM temp.decant_pairs ORDER BY owner, target")
    if let order = storage.order, !adding {
      statements.append(
        "UPDATE \(table) SET \(quoted(order)) = p.place FROM (SELECT owner, target, \(place) AS place "
          + "FROM temp.decant_pairs) AS p WHERE \(owner) = p.owner AND \(target) = p.target "
          + "AND \(quoted(order)) IS NULL")
    }
    return statements
  }
}
