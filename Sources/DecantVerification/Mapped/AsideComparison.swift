internal import DecantEngine
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Compares the quarantine store with the expected store of a step.
///
/// Then it deletes the quarantined objects from the expected store, because the destination must have none of these
/// objects, and no references to these objects.
struct AsideComparison {
  private let expected: ExpectedStore
  private let aside: AsideObjects
  private var layout: StoreLayout { expected.plan.destination }
  private var database: SQLiteDatabase { expected.database }

  init(_ expected: ExpectedStore, _ aside: AsideObjects) { (self.expected, self.aside) = (expected, aside) }

  func run(_ findings: inout Findings) throws {
    let judgement = try expected.judgement()
    let stores = try StorePair(aside.store, of: expected.source, expected: expected.path, judgement)
    try compare(stores, &findings)
    // Decant's connections can have only two attached stores, so `aside` takes the place of `kept`.
    try database.detach("kept")
    try aside.attach()
    if expected.unjudgedProperties.isEmpty {
      for entity in layout.model.entities where !entity.isAbstract {
        try AsideReasons(layout: layout, database: database).run(
          entity, isWhole: true, where: judgement.isJudged("s.Z_PK", of: entity.name, in: "main"), &findings)
      }
    }
    try database.transaction { () throws(SQLiteError) in try remove(&findings) }
  }

  /// Compares the objects of the quarantine store, and the pairs among them.
  private func compare(_ stores: StorePair, _ findings: inout Findings) throws {
    var found = Findings()
    // The quarantine store has only some of the expected objects, so only pairs of common objects are compared.
    found.rowsDiffer = true
    for table in layout.tables {
      for entity in layout.model.family(of: table.rootEntity) where !entity.isAbstract {
        let rows = "FROM main.\(quoted(table.name)) WHERE Z_ENT = \(stores.destinationNumber(entity.name))"
        findings.expect(.quarantined, entity: entity.name, count: try stores.count(rows))
      }
      try RowCheck(stores, table: table).run(&found)
      // A reference in the quarantine store must lead to an object of this store.
      try ReferenceCheck(stores, table: table).run(&found)
    }
    for property in PairCheck.properties(of: layout) {
      try PairCheck(stores, property: property).run(&found)
    }
    for var difference in found.differences where difference.kind != .lostRow {
      if difference.kind != .unexplainedObject { difference.kind = .asideValue }
      findings.differences.append(difference)
    }
    findings.expected += found.expected.filter { $0.kind == .madeByPolicy }
  }

  /// The tables of the objects to which the two columns of a join table lead.
  private func ends(_ join: StoreLayout.JoinTable) -> (first: String, second: String)? {
    func table(_ end: StoreLayout.JoinEnd) -> String? {
      layout.model.relationship(end.relationship.name, of: end.relationship.entity).flatMap {
        layout.table(of: $0.destinationEntityName)?.name
      }
    }
    guard let first = table(join.first), let second = table(join.second) else { return nil }
    return (first, second)
  }

  private func remove(_ findings: inout Findings) throws(SQLiteError) {
    for table in layout.tables {
      let name = quoted(table.name)
      try database.execute("DELETE FROM main.\(name) WHERE Z_PK IN (SELECT Z_PK FROM aside.\(name))")
    }
    for table in layout.tables {
      for reference in StoredReference.all(in: table, of: layout) {
        guard let target = layout.table(of: reference.target) else { continue }
        let cleared = reference.cleared.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        try database.execute(
          "UPDATE main.\(quoted(table.name)) SET \(cleared) WHERE \(quoted(reference.column)) IN "
            + "(SELECT Z_PK FROM aside.\(quoted(target.name)))")
        findings.expect(
          .targetGone, entity: reference.property.entity, property: reference.property.name,
          count: database.changes)
      }
    }
    for join in layout.joinTables {
      guard let ends = ends(join) else { continue }
      try database.execute(
        "DELETE FROM main.\(quoted(join.name)) WHERE \(quoted(join.first.column)) IN "
          + "(SELECT Z_PK FROM aside.\(quoted(ends.first))) OR \(quoted(join.second.column)) IN "
          + "(SELECT Z_PK FROM aside.\(quoted(ends.second)))")
      let property = join.second.relationship
      findings.expect(
        .targetGone, entity: property.entity, property: property.name, count: database.changes)
    }
  }
}
