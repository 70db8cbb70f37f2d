internal import DecantEngine
internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantRows
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

/// The objects of one entity mapping, made again row by row, with the keys of the kept associations.
///
/// Filters and `uniqueBy` are evaluated again, so that wrong and missing associations are found.
struct ExpectedObjects {
  let expected: ExpectedStore
  let session: RowSession
  let mapping: PassPlan.Mapping
  let root: Int
  /// Whether the filter or `uniqueBy` calls code that isn't available.
  let isOpaque: Bool
  var name: String { mapping.mapping.name }
  var isUnique: Bool { mapping.mapping.uniqueBy != nil }

  init(_ expected: ExpectedStore, _ session: RowSession, _ mapping: PassPlan.Mapping) {
    self.expected = expected
    self.session = session
    self.mapping = mapping
    root = expected.root(of: mapping)
    isOpaque =
      (mapping.mapping.filter.map(expected.code.isMissing) ?? false)
      || (mapping.mapping.uniqueBy.map(expected.code.isMissing) ?? false)
  }

  func make(_ findings: inout Findings) throws {
    if let policy = expected.policy(of: mapping) { return try leaveToPolicy(policy, &findings) }
    session.begin(mapping)
    let compiled = try session.compiled(mapping.number)
    var tally = ObjectTally()
    try eachSource(compiled) { source, key in
      try make(source, key, compiled, &tally)
      session.destination.retire()
      if session.destination.pendingBytes > BatchSize.bytes { try session.endBatch() }
    }
    try session.destination.endChunk()
    try tell(tally, &findings)
  }

  /// Calls the body for every source object, in the order of the keys.
  func eachSource(_ compiled: RowMapping, _ body: (ManagedObject, Int64) throws -> Void) throws {
    let reader = try session.reading(compiled)
    var last = Int64.min
    while true {
      let rows = try reader.next(after: last, upTo: .max)
      for row in 0..<rows.count {
        last = rows.key(row)
        guard let source = session.source.present(row, of: rows, reader.batches) else { continue }
        try body(source, last)
      }
      try session.endBatch()
      if rows.isLast { return }
    }
  }

  /// Makes an object for a source object, or only associates the source object with an existing object.
  private func make(
    _ source: ManagedObject, _ key: Int64, _ compiled: RowMapping, _ tally: inout ObjectTally
  ) throws {
    tally.sourceRows += 1
    let kept = try expected.lookup.destinations(of: Int(key), mapping: mapping.number)
    tally.associated += kept.count
    guard let found = try judge(source, key, kept, compiled, &tally) else { return }
    let isMade = try found.isNew && isFirst(found.key)
    if isMade {
      tally.destinations += 1
      var failed: [ExpressionFault] = []
      try session.make(source, key, as: Int64(found.key), compiled) { failed.append($0) }
      for fault in failed { tally.note(fault, of: mapping, key) }
    } else if found.isNew {
      tally.note(.sharedObject, String(found.key))
    }
    let others = isMade ? kept.dropFirst() : kept.isEmpty ? [found.key] : kept[...]
    for other in others { try associate(key, other, mapping.destinationTable.rootEntity, isNew: false) }
  }

  private func associate(_ source: Int64, _ key: Int, _ root: String, isNew: Bool) throws(SQLiteError) {
    try session.destination.book.associate(
      source, RowKey(root: root, key: Int64(key)), mapping: mapping.number, isNew: isNew)
  }

  /// Notes that the object with a key is made; true if this wasn't noted before.
  private func isFirst(_ key: Int) throws(SQLiteError) -> Bool {
    try isFirst(key, root: root)
  }

  private func isFirst(_ key: Int, root: Int) throws(SQLiteError) -> Bool {
    try session.destination.statements.first(
      "INSERT OR IGNORE INTO main.\(ExpectedStore.made) VALUES (?, ?) RETURNING 1",
      [.integer(Int64(root)), .integer(Int64(key))]) != nil
  }

  /// Notes the objects that a policy has associated, because the policy may have set any of their values.
  ///
  /// New objects get the mapping's values where possible, to show what the policy changed.
  private func leaveToPolicy(_ policy: String, _ findings: inout Findings) throws {
    let layout = expected.plan.destination
    let rows = session.destination
    session.begin(mapping)
    let compiled = try session.compiled(mapping.number)
    var objects = 0
    var associated = 0
    var stray = ObjectTally()
    if let entry {
      try expected.file.associations(of: entry) { source, object in
        guard let table = layout.table(of: object.entity), let number = layout.entityNumbers[object.entity],
          let root = layout.entityNumbers[table.rootEntity]
        else { return true }
        let key = SQLiteValue.integer(Int64(object.key))
        let isNew = try isFirst(object.key, root: root)
        let isThere = try isInSource(source)
        if !isThere { stray.note(.strayAssociation, String(source.key)) }
        let original =
          isThere && source.entity == mapping.source
          ? session.source.object(entity: mapping.source, key: Int64(source.key)) : nil
        let isFilled = !isNew || original != nil && object.entity == mapping.destination
        if try rows.statements.first(
          "INSERT OR IGNORE INTO main.\(Judgement.unjudgedTable) VALUES (?, ?, ?) RETURNING 1",
          [.integer(Int64(root)), key, .integer(isFilled ? 1 : 0)]) != nil
        {
          objects += 1
        }
        if isNew, isFilled, let original {
          try session.make(original, Int64(source.key), as: Int64(object.key), compiled) { _ in }
          rows.retire()
        } else {
          if isNew {
            try rows.statements.run(
              "INSERT INTO main.\(quoted(table.name)) (Z_PK, Z_ENT, Z_OPT) VALUES (?, ?, 1)",
              [key, .integer(Int64(number))])
          }
          try associate(Int64(source.key), object.key, table.rootEntity, isNew: isNew)
        }
        associated += 1
        if associated % BatchSize.rows == 0 || rows.pendingBytes > BatchSize.bytes { try rows.endBatch() }
        return true
      }
    }
    try rows.endChunk()
    for (kind, found) in stray.counts {
      findings.add(kind, entity: mapping.destination, name: name, count: found.count, examples: found.keys)
    }
    findings.expect(.leftToPolicy, entity: name, property: policy, count: objects)
    try tellLeftOut(compiled, &findings)
    let sourceRows = try expected.database.integer(
      "SELECT count(*) FROM source.\(quoted(mapping.sourceTable.name)) WHERE Z_ENT = \(mapping.sourceNumber)")
    findings.entities.append(
      .init(
        source: mapping.source, destination: mapping.destination, sourceRows: sourceRows,
        destinationRows: objects))
  }

  /// Whether the source has an associated object; its entity may differ from the mapping's source entity.
  private func isInSource(_ object: AssociationFile.Object) throws(SQLiteError) -> Bool {
    guard let table = expected.plan.source.table(of: object.entity) else { return false }
    return try session.destination.statements.first(
      "SELECT 1 FROM source.\(quoted(table.name)) WHERE Z_PK = ?", [.integer(Int64(object.key))]) != nil
  }

  var entry: AssociationFile.Mapping? {
    expected.file.mappings.first {
      $0.step == expected.step.number && $0.mapping.number == mapping.number
    }
  }
}
