internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Checks the order of a relationship's targets, and that of its inverse's targets if both ends are stored together.
struct OrderCheck {
  private let stores: StorePair
  private let property: StoreLayout.Property
  private let origin: PairOrigin
  private let storage: RelationshipStorage

  init(_ stores: StorePair, property: StoreLayout.Property, origin: PairOrigin, storage: RelationshipStorage) {
    self.stores = stores
    self.property = property
    self.origin = origin
    self.storage = storage
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    try compare(origin, storage, property, &findings)
    guard let inverse = stores.lineage.destination.inverse(of: property), inverse != property else { return }
    try compare(origin.reversed, storage.reversed, inverse, &findings)
  }

  /// Compares the order of each owner's targets.
  ///
  /// Targets without an ordering key come last.
  ///
  /// If the source has no order, this method only checks that the ordering keys exist and are distinct.
  private func compare(
    _ origin: PairOrigin, _ storage: RelationshipStorage, _ property: StoreLayout.Property,
    _ findings: inout Findings
  ) throws(SQLiteError) {
    guard let order = storage.order else { return }
    guard let former = origin.storage.order else { return try checkKeys(storage, order, property, &findings) }
    findings.compared.orders += 1
    if let judgement = stores.judgement {
      try checkKeys(storage, order, property, &findings)
      // A policy may have set any order.
      if judgement.hasUnjudged { return }
    }
    let pairs =
      "FROM source.\(quoted(origin.storage.table)) AS s JOIN main.\(quoted(storage.table)) AS d "
      + "ON d.\(quoted(storage.owner)) = s.\(quoted(origin.storage.owner)) "
      + "AND d.\(quoted(storage.target)) = s.\(quoted(origin.storage.target))"
    // Equal keys give an equal order. The order is computed only if some keys differ.
    guard try stores.count("\(pairs) WHERE d.\(quoted(order)) IS NOT s.\(quoted(former))") > 0 else { return }
    func place(_ key: String) -> String {
      "row_number() OVER (PARTITION BY d.\(quoted(storage.owner)) ORDER BY \(key) NULLS LAST, d.\(quoted(storage.target)))"
    }
    let owners =
      "FROM (SELECT DISTINCT owner FROM (SELECT d.\(quoted(storage.owner)) AS owner, "
      + "\(place("d." + quoted(order))) AS now, \(place("s." + quoted(former))) AS before \(pairs)) "
      + "WHERE now <> before)"
    let count = try stores.count(owners)
    findings.add(
      .changedOrder, entity: property.entity, property: property.name, count: count,
      examples: count > 0 ? try stores.examples("owner", from: owners) : [])
  }

  private func checkKeys(
    _ storage: RelationshipStorage, _ order: String, _ property: StoreLayout.Property,
    _ findings: inout Findings
  ) throws(SQLiteError) {
    let owners =
      "FROM (SELECT \(quoted(storage.owner)) AS owner FROM main.\(quoted(storage.table)) "
      + "WHERE \(quoted(storage.owner)) IS NOT NULL AND \(quoted(storage.target)) IS NOT NULL GROUP BY 1 "
      + "HAVING count(DISTINCT \(quoted(order))) <> count(*))"
    let count = try stores.count(owners)
    findings.add(
      .orderKey, entity: property.entity, property: property.name, count: count,
      examples: count > 0 ? try stores.examples("owner", from: owners) : [])
  }
}
