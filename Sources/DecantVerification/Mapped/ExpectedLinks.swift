internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantRows
internal import DecantSQLite
internal import DecantStore

/// Sets the relationships of one entity mapping, by another method than in the migration where this is possible.
///
/// Pairs with objects of later passes are always set by statements, as in the migration.
struct ExpectedLinks {
  let expected: ExpectedStore
  let session: RowSession
  let mapping: PassPlan.Mapping
  private let compiled: RowMapping
  var rows: DestinationRows { session.destination }

  /// - Returns: `nil` if the mapping sets no relationships.
  init?(_ expected: ExpectedStore, _ session: RowSession, _ mapping: PassPlan.Mapping) throws {
    compiled = try session.compiled(mapping.number)
    guard !compiled.relationships.isEmpty else { return nil }
    self.expected = expected
    self.session = session
    self.mapping = mapping
  }

  /// Sets the relationships to the objects that exist after the mapping's pass.
  ///
  /// If the entity mapping has a policy, nothing is set, because the policy may set the relationships.
  func set(_ findings: inout Findings) throws {
    guard expected.policy(of: mapping) == nil else { return }
    let wentByRows = expected.wentByRows(mapping)
    if wentByRows, !setsBothEnds, let works = try? RelateWork(expected.plan, mapping).works() {
      return try run(works)
    }
    session.begin(mapping)
    var tally = ObjectTally()
    // In row-by-row work, the migration has set all relationships of one object, then those of the next object.
    for together in wentByRows ? [compiled.relationships] : compiled.relationships.map({ [$0] }) {
      try set(together, &tally)
    }
    try rows.endChunk()
    tally.tellErrors(of: mapping, &findings)
  }

  /// Whether the mapping sets both ends of a relationship, so that the order of the objects decides which pairs stay.
  private var setsBothEnds: Bool {
    let model = expected.plan.destination.model
    return compiled.relationships.contains { row in
      guard
        let inverse = model.relationship(row.destinationName, of: mapping.destination).flatMap(model.inverse),
        !model.isOwnInverse(row.destinationName, of: mapping.destination)
      else { return false }
      return model.areRelated(inverse.entity.name, mapping.destination)
        && mapping.mapping.sets(inverse.relationship.name)
    }
  }

  /// Sets some relationships of every object of the mapping.
  private func set(_ relationships: [RelationshipMapping], _ tally: inout ObjectTally) throws {
    try eachOwner { object, owner, key in
      // An object of several source objects is related once.
      if compiled.unique != nil,
        try rows.book.firstSource(of: owner.place, mapping: mapping.number) != key
      {
        return
      }
      for row in relationships {
        do {
          try session.set(row, of: object, compiled)
        } catch let fault as ExpressionFault {
          tally.note(fault, of: mapping, key)
        }
      }
    }
  }

  /// Sets relationships to objects of later passes; the inverses that these passes have set take precedence.
  func setWaiting() throws(SQLiteError) {
    guard expected.policy(of: mapping) == nil else { return }
    try run(RelateWork(expected.plan, mapping).waiting())
  }

  private func run(_ works: [Work]) throws(SQLiteError) {
    let bounds = [SQLiteValue.integer(.min), .integer(.max)]
    for statement in works.flatMap(\.statements) {
      let prepared = try expected.database.prepare(statement)
      try prepared.run(Array(bounds.prefix(prepared.parameterCount)))
    }
  }

  /// Calls the body for every object of the mapping, with the key of its source object, in the order of these keys.
  private func eachOwner(_ body: (ManagedObject, DestinationContents, Int64) throws -> Void) throws {
    var last = Int64.min
    while true {
      let pairs = try rows.book.associations(
        mapping: mapping.number, after: last, upTo: .max, limit: BatchSize.rows)
      for pair in pairs where pair.source > last {
        last = pair.source
        rows.retire()
        guard let object = try rows.present(pair.destination),
          let owner = object.contents as? DestinationContents
        else { continue }
        try body(object, owner, pair.source)
        // An owner can have many targets.
        if rows.objects.count >= BatchSize.rows { try session.endBatch() }
      }
      try session.endBatch()
      if pairs.count < BatchSize.rows { return }
    }
  }

  // MARK: Policies

  /// Notes the pairs that a policy's entity mapping states, so that the report can name those that the policy changed.
  ///
  /// The pairs aren't set, because a policy may set any pair.
  ///
  /// An owner whose relationship can't be computed is left out.
  func noteForPolicy() throws {
    guard expected.policy(of: mapping) != nil,
      let number = expected.plan.destination.entityNumbers[mapping.destination]
    else { return }
    session.begin(mapping)
    for row in compiled.relationships {
      guard
        let relationship = expected.plan.destination.model.relationship(
          row.destinationName, of: mapping.destination), !relationship.isTransient
      else { continue }
      try eachOwner { object, owner, key in
        guard object.entity.entity.name == mapping.destination,
          let source = session.source.object(entity: mapping.source, key: key)
        else { return }
        let targets: [ManagedObject]
        do {
          targets = try session.targets(row, of: source, object, relationship)
        } catch is ExpressionFault {
          return
        }
        let taken = relationship.isToMany ? targets[...] : targets.prefix(1)
        for target in [Judgement.noTarget] + taken.map(\.objectID.key) {
          try rows.statements.run(
            "INSERT OR IGNORE INTO main.\(Judgement.pairTable) VALUES (?, ?, ?, ?)",
            [
              .integer(Int64(number)), .text(row.destinationName), .integer(owner.key), .integer(target),
            ])
        }
      }
    }
    try rows.endChunk()
  }
}
