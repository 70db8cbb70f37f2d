internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Tells which pairs of objects that a policy made are as their entity mapping says.
///
/// The others are no differences, because a policy may set any pair.
struct PolicyPairs {
  let stores: StorePair

  func tell(_ findings: inout Findings) throws(SQLiteError) {
    let layout = stores.destinationLayout
    let wanted = "expected.\(ExpectedStore.policyPairs)"
    for row in try stores.database.rows("SELECT DISTINCT entity, name FROM \(wanted) ORDER BY entity, name") {
      guard let number = row.first?.integer, case .text(let name)? = row.last,
        let entity = layout.entityNumbers.first(where: { Int64($0.value) == number })?.key,
        let storage = RelationshipStorage(of: name, entity: entity, in: layout), stores.has(storage)
      else { continue }
      let place = "p.entity = ?1 AND p.name = ?2"
      let (table, owner, target) = (
        "main.\(quoted(storage.table))", quoted(storage.owner), quoted(storage.target)
      )
      let isHeld = "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.\(owner) = p.owner AND d.\(target) = p.target)"
      func count(_ query: String) throws(SQLiteError) -> Int {
        try stores.database.rows("SELECT count(*) \(query)", [.integer(number), .text(name)]).first?.first?
          .integer
          .map { Int($0) } ?? 0
      }
      findings.expect(
        .pairsAsMapped, entity: entity, property: name,
        count: try count(
          "FROM \(wanted) AS p WHERE \(place) AND p.target <> \(ExpectedLinks.noTarget) AND \(isHeld)"))
      let isLost =
        "EXISTS (SELECT 1 FROM \(wanted) AS p WHERE \(place) AND p.owner = o.owner "
        + "AND p.target <> \(ExpectedLinks.noTarget) AND NOT \(isHeld))"
      let isSurplus =
        "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.\(owner) = o.owner AND d.\(target) IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM \(wanted) AS p WHERE \(place) AND p.owner = d.\(owner) AND p.target = d.\(target)))"
      findings.expect(
        .pairsSetByPolicy, entity: entity, property: name,
        count: try count(
          "FROM \(wanted) AS o WHERE o.entity = ?1 AND o.name = ?2 AND o.target = \(ExpectedLinks.noTarget) "
            + "AND (\(isLost) OR \(isSurplus))"))
    }
  }
}
