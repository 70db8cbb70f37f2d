internal import DecantMapping
package import DecantSQLite

/// The entity mapping and the source object from which a destination object was made, according to the associations.
package struct ObjectOrigin: CustomStringConvertible {
  /// `nil` if the object has no association; only policies make such objects.
  let entityMapping: String?
  let policy: EntityMapping.Policy?
  /// The source object, in the form `Note/p3`; `nil` if the object has no association.
  ///
  /// If the entity mapping made the object from several source objects, this is the source object with the smallest
  /// key.
  let source: String?

  package var isOfPolicy: Bool { entityMapping == nil || policy != nil }

  package var description: String {
    guard let entityMapping, let source else { return "made by a policy without a source object" }
    let maker =
      switch policy {
      case .className?: ", policy \(policy?.text ?? ""),"
      case .program?: ", program \(policy?.text ?? ""),"
      case nil: ""
      }
    return "made by entity mapping “\(entityMapping)”\(maker) from \(source)"
  }
}

/// Finds the entity mapping and the source object of a destination object.
package struct ObjectOrigins {
  let plan: PassPlan
  let database: SQLiteDatabase

  package init(plan: PassPlan, database: SQLiteDatabase) {
    self.plan = plan
    self.database = database
  }

  /// - Returns: `nil` if the entity has no table, or if no association has the object and no entity mapping has a
  ///   policy.
  package func origin(of entity: String, key: Int64) throws(SQLiteError) -> ObjectOrigin? {
    guard let table = plan.destination.table(of: entity),
      let root = plan.destination.entityNumbers[table.rootEntity]
    else { return nil }
    let mappings = plan.mappings.filter { $0.destinationTable.name == table.name }
    for mapping in mappings {
      let run = try database.rows(
        plan.isInBlocks(mapping)
          ? "SELECT min(b.first + j.key) FROM main.\(Associations.shared) AS b, json_each(b.destinations) AS j "
            + "WHERE b.mapping = \(mapping.number) AND j.value = ?1"
          : "SELECT min(first + (?1 - destination)) FROM main.\(Associations.runs) "
            + "WHERE mapping = \(mapping.number) AND destination <= ?1 AND ?1 - destination < length",
        [.integer(key)])
      if let source = run.first?.first?.integer { return made(mapping, of: source) }
    }
    for mapping in plan.mappings {
      let pair = try database.rows(
        "SELECT min(source) FROM main.\(Associations.pairs) WHERE mapping = \(mapping.number) "
          + "AND root = \(root) AND destination = ?", [.integer(key)])
      if let source = pair.first?.first?.integer { return made(mapping, of: source) }
    }
    guard plan.mappings.contains(where: { $0.mapping.policy != nil }) else { return nil }
    return ObjectOrigin(entityMapping: nil, policy: nil, source: nil)
  }

  private func made(_ mapping: PassPlan.Mapping, of source: Int64) -> ObjectOrigin {
    ObjectOrigin(
      entityMapping: mapping.mapping.name, policy: mapping.mapping.policy,
      source: "\(mapping.source)/p\(source)")
  }
}
