import DecantModel
import DecantStore
import Foundation

/// Finds rows in a store's tables that break the rules of the model.
struct StoreRules {
  let store: SourceStore
  let layout: StoreLayout

  /// A short text for each broken rule, with the number of rows.
  func violations() throws -> [String] {
    var found: [String] = []
    func check(_ what: String, _ query: String) throws {
      let count = try store.database.integer("SELECT count(*) FROM (\(query))")
      if count > 0 { found.append("\(what): \(count)") }
    }
    let findings = try store.rows("PRAGMA integrity_check(10)")
    if findings != [[.text("ok")]] { found.append("integrity: \(findings)") }
    for table in layout.tables {
      let numbers = layout.entityNumbers(inFamilyOf: table.rootEntity).map(String.init).joined(separator: ",")
      try check("\(table.name) stray", "SELECT 1 FROM \(table.name) WHERE Z_ENT NOT IN (\(numbers))")
    }
    for entity in layout.model.entities where !entity.isAbstract {
      guard let table = layout.table(of: entity.name)?.name, let number = layout.entityNumbers[entity.name]
      else {
        continue
      }
      let own = "FROM \(table) AS o WHERE o.Z_ENT = \(number)"
      for attribute in layout.model.attributes(of: entity.name) where !attribute.isTransient {
        guard let column = layout.attributeColumn(attribute.name, of: entity.name) else { continue }
        if !attribute.isOptional {
          try check("\(entity.name).\(attribute.name) nil", "SELECT 1 \(own) AND o.\(column) IS NULL")
        }
      }
      for relationship in layout.model.relationships(of: entity.name) where !relationship.isTransient {
        let name = "\(entity.name).\(relationship.name)"
        if relationship.isToMany {
          try checkToMany(relationship, of: entity, own: own, name: name, check)
        } else {
          try checkToOne(relationship, of: entity, own: own, name: name, check)
        }
      }
    }
    return found
  }

  private func checkToOne(
    _ relationship: Relationship, of entity: Entity, own: String, name: String,
    _ check: (String, String) throws -> Void
  ) throws {
    guard let column = layout.toOneColumn(relationship.name, of: entity.name),
      let target = layout.table(of: relationship.destinationEntityName)?.name
    else { return }
    let numbers = layout.entityNumbers(inFamilyOf: relationship.destinationEntityName).map(String.init)
      .joined(separator: ",")
    if !relationship.isOptional { try check("\(name) nil", "SELECT 1 \(own) AND o.\(column) IS NULL") }
    try check(
      "\(name) dangling",
      "SELECT 1 \(own) AND o.\(column) IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM \(target) AS t WHERE t.Z_PK = o.\(column) AND t.Z_ENT IN (\(numbers)))")
    if let entityColumn = layout.toOneEntityColumn(relationship.name, of: entity.name) {
      try check(
        "\(name) entity column",
        "SELECT 1 \(own) AND o.\(entityColumn) IS NOT (SELECT t.Z_ENT FROM \(target) AS t WHERE t.Z_PK = o.\(column))"
      )
    }
    guard let inverse = layout.model.inverse(of: relationship), !inverse.relationship.isToMany,
      // In some models the inverse of a relationship has another inverse.
      inverse.relationship.inverseName == relationship.name,
      let back = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name)
    else { return }
    try check(
      "\(name) one-sided",
      "SELECT 1 \(own) AND o.\(column) IS NOT NULL AND o.Z_PK IS NOT "
        + "(SELECT t.\(back) FROM \(target) AS t WHERE t.Z_PK = o.\(column))")
  }

  private func checkToMany(
    _ relationship: Relationship, of entity: Entity, own: String, name: String,
    _ check: (String, String) throws -> Void
  ) throws {
    let (owner, member, order, table): (String, String, String?, String)
    if let join = layout.joinTable(relationship.name, of: entity.name) {
      let (here, there) =
        join.isNaming ? (join.table.second, join.table.first) : (join.table.first, join.table.second)
      (owner, member, order, table) = (there.column, here.column, here.orderColumn, join.table.name)
    } else if let inverse = layout.model.inverse(of: relationship), !inverse.relationship.isToMany,
      let column = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name),
      let children = layout.table(of: inverse.entity.name)?.name
    {
      (owner, member, table) = (column, "Z_PK", children)
      order =
        relationship.isOrdered ? layout.orderColumn(inverse.relationship.name, of: inverse.entity.name) : nil
    } else if let column = layout.ownerColumn(relationship.name, of: entity.name),
      let children = layout.table(of: relationship.destinationEntityName)?.name
    {
      (owner, member, order, table) = (column, "Z_PK", nil, children)
    } else {
      return
    }
    let least = relationship.isOptional ? 0 : max(1, relationship.minimumCount)
    let most = relationship.maximumCount > 1 ? relationship.maximumCount : Int.max
    let counts = "SELECT (SELECT count(*) FROM \(table) AS m WHERE m.\(owner) = o.Z_PK) AS n \(own)"
    try check("\(name) below \(least) or above \(most)", "\(counts) AND n NOT BETWEEN \(least) AND \(most)")
    let target = layout.table(of: relationship.destinationEntityName)?.name ?? ""
    try check(
      "\(name) orphans",
      "SELECT 1 FROM \(table) AS m WHERE m.\(member) NOT IN (SELECT Z_PK FROM \(target))")
    if let order {
      try check(
        "\(name) order",
        "SELECT 1 FROM \(table) WHERE \(owner) IS NOT NULL GROUP BY \(owner) "
          + "HAVING count(DISTINCT \(order)) <> count(*)")
      try check(
        "\(name) order without owner", "SELECT 1 FROM \(table) WHERE (\(owner) IS NULL) <> (\(order) IS NULL)")
    }
  }
}
