internal import DecantMapping
internal import DecantModel
internal import DecantSQLite

/// The work of a step that runs mapping models.
///
/// The work depends on the step's inputs, but not on the progress, so that a resumed run finds the same list.
package struct PassWork {
  let plan: PassPlan
  let ways: [EntityMappingWork]
  /// Gives the work that is the same for every step: ordering keys, references to missing objects, derived attributes.
  private let rules: StepWork

  package init(_ plan: PassPlan, ways: [EntityMappingWork]) {
    self.plan = plan
    self.ways = ways
    rules = StepWork(.none(from: plan.source, to: plan.destination), leadingColumns: [:])
  }

  /// The work that fills the tables, before the indexes are created.
  package func filling() -> [Work] {
    var works = [keys]
    var waiting: [Work] = []
    for pass in plan.passes.indices {
      let own = ways.filter { $0.mapping.pass == pass }
      works += own.flatMap(\.creating)
      works += own.flatMap(\.relating)
      works += own.flatMap(\.ending)
      waiting += own.flatMap(\.waiting)
    }
    let tables = plan.destination.tables
    works += waiting
    if ways.contains(where: \.goesByRows) {
      works.append(
        Work(
          "look-ups", stage: .relate, action: .finish, pass: max(0, plan.passes.count - 1),
          finding: { count in
            "\(counted(count, "link")) of policy programs led to \(count == 1 ? "an object that was" : "objects that were") "
              + "filtered or \(count == 1 ? "isn't" : "aren't") there."
          }))
    }
    return works + tables.flatMap(rules.numberings)
      + plan.destination.joinTables.flatMap(rules.numberings)
      + tables.flatMap { rules.orphans($0, unique: true) }
  }

  /// The work that checks the filled tables; the indexes make it fast.
  package func checking() -> [Work] {
    let tables = plan.destination.tables
    return tables.flatMap { rules.orphans($0, unique: false) } + plan.destination.joinTables.map(rules.orphans)
      + tables.flatMap(rules.derived)
  }

  /// The work that computes again the attributes that are derived from a count.
  package func derived() -> [Work] { plan.destination.tables.flatMap(rules.derived) }

  /// New keys begin above every kept or used key (docs/mapping-models.md, “How they run”).
  private var keys: Work {
    let statements = plan.destination.tables.map { table -> String in
      let number = plan.destination.entityNumbers[table.rootEntity] ?? 0
      let sources = plan.mappings.filter { $0.destinationTable.rootEntity == table.rootEntity && $0.keepsKeys }
      var marks: [String] = []
      for source in Set(sources.map(\.sourceTable.rootEntity)).sorted() {
        guard let from = plan.source.table(of: source) else { continue }
        marks.append("(SELECT max(Z_PK) FROM source.\(quoted(from.name)))")
        marks.append(
          "(SELECT max(Z_MAX) FROM source.Z_PRIMARYKEY WHERE Z_ENT = \(plan.source.entityNumbers[source] ?? 0))"
        )
      }
      let largest = marks.map { "ifnull(\($0), 0)" } + ["0", "0"]
      return "INSERT OR REPLACE INTO main.\(Associations.keys) (root, next) VALUES "
        + "(\(number), 1 + max(\(largest.joined(separator: ", "))))"
    }
    return Work("keys", stage: .create, statements: statements)
  }
}
