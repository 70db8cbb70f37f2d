internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Adds findings about objects that a policy made: the number of pairs that are as the entity mapping says, and the
/// number of objects to which the policy gave other pairs.
///
/// The other pairs aren't differences, because a policy may set any pair.
struct PolicyPairs {
  private static let wanted = "source.\(Judgement.pairTable)"

  let stores: StorePair
  private var layout: StoreLayout { stores.destinationLayout }

  func tell(_ findings: inout Findings) throws(SQLiteError) {
    let storedEnds = PairCheck.properties(of: layout)
    for row in try stores.database.rows(
      "SELECT DISTINCT entity, name FROM \(Self.wanted) ORDER BY entity, name")
    {
      guard let number = row.first?.integer, case .text(let name)? = row.last,
        let entity = layout.entityNumbers.first(where: { Int64($0.value) == number })?.key,
        let storage = RelationshipStorage(of: name, entity: entity, in: layout), stores.has(storage)
      else { continue }
      let isStoredEnd = storedEnds.contains { $0.name == name && layout.model.isKind(entity, of: $0.entity) }
      try tell(
        .init(entity: entity, name: name), Int64(number), storage,
        other: isStoredEnd ? nil : layout.model.inverse(of: .init(entity: entity, name: name)),
        &findings)
    }
  }

  /// - Parameter other: The other end, if that end stores the pairs; `nil` if this end does.
  private func tell(
    _ property: StoreLayout.Property, _ number: Int64, _ storage: RelationshipStorage,
    other: StoreLayout.Property?, _ findings: inout Findings
  ) throws(SQLiteError) {
    let wanted = Self.wanted
    let place = "p.entity = ?1 AND p.name = ?2"
    let (table, owner, target) = (
      "main.\(quoted(storage.table))", quoted(storage.owner), quoted(storage.target)
    )
    let isHeld = "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.\(owner) = p.owner AND d.\(target) = p.target)"
    func isNew(_ target: String) -> String {
      other.map { " AND NOT \(Self.isKnown(target, at: $0, in: layout))" } ?? ""
    }
    func count(_ query: String) throws(SQLiteError) -> Int {
      try stores.database.rows("SELECT count(*) \(query)", [.integer(number), .text(property.name)]).first?
        .first?
        .integer.map { Int($0) } ?? 0
    }
    findings.expect(
      .pairsAsMapped, entity: property.entity, property: property.name,
      count: try count(
        "FROM \(wanted) AS p WHERE \(place) AND p.target <> \(Judgement.noTarget) AND \(isHeld)"
          + isNew("p.target")))
    let isLost =
      "EXISTS (SELECT 1 FROM \(wanted) AS p WHERE \(place) AND p.owner = o.owner "
      + "AND p.target <> \(Judgement.noTarget) AND NOT \(isHeld)\(isNew("p.target")))"
    let isSurplus =
      "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.\(owner) = o.owner AND d.\(target) IS NOT NULL AND NOT EXISTS "
      + "(SELECT 1 FROM \(wanted) AS p WHERE \(place) AND p.owner = d.\(owner) AND p.target = d.\(target))"
      + isNew("d.\(target)") + ")"
    findings.expect(
      .pairsSetByPolicy, entity: property.entity, property: property.name,
      count: try count(
        "FROM \(wanted) AS o WHERE o.entity = ?1 AND o.name = ?2 AND o.target = \(Judgement.noTarget) "
          + "AND (\(isLost) OR \(isSurplus))"))
  }

  /// SQL that is true if it is known which targets the entity mapping gives the object with the key `key`.
  static func isKnown(_ key: String, at property: StoreLayout.Property, in layout: StoreLayout) -> String {
    let numbers = layout.entityNumbers.filter { layout.model.isKind($0.key, of: property.entity) }.map(\.value)
    let name = property.name.replacing("'", with: "''")
    return
      "EXISTS (SELECT 1 FROM \(wanted) AS c WHERE c.entity IN \(numbers.sorted().list) AND c.name = '\(name)' "
      + "AND c.owner = \(key) AND c.target = \(Judgement.noTarget))"
  }
}
