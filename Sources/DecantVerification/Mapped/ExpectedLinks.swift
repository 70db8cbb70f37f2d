internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantRows
internal import DecantSQLite
internal import DecantStore

/// The relationships that one entity mapping sets, by another method than in the migration.
///
/// What the migration set over sets of rows is set object by object. What it set row by row is set by statements, if
/// all of it is SQL. Objects that several source objects share are related with one source object after the other.
struct ExpectedLinks {
  let expected: ExpectedStore
  let session: RowSession
  let mapping: PassPlan.Mapping
  private let compiled: RowMapping
  var rows: DestinationRows { session.destination }

  /// A relationship with the name of the work for which its owners claim targets.
  struct Row {
    let mapping: RelationshipMapping
    let link: EntityShape.Link
    let claims: String
    var isOneToOne: Bool { link.storage.kind == .owners && link.inverse.map { !$0.isToMany } ?? false }
  }

  /// - Returns: `nil` if the mapping sets no relationships.
  init?(_ expected: ExpectedStore, _ session: RowSession, _ mapping: PassPlan.Mapping) throws {
    compiled = try session.compiled(mapping.number)
    guard !compiled.relationships.isEmpty else { return nil }
    self.expected = expected
    self.session = session
    self.mapping = mapping
  }

  /// Sets the relationships to the objects that there are after the mapping's pass, unless a policy may set them.
  func set(_ findings: inout Findings) throws {
    guard expected.policy(of: mapping) == nil else { return }
    if expected.wentByRows(mapping), let works = try? RelateWork(expected.plan, mapping).works() {
      return try run(works)
    }
    session.begin(mapping)
    var tally = ObjectTally()
    let isShared = compiled.unique != nil
    for row in try relationships("set") {
      if isShared { try beginClaims(row) }
      try eachOwner { object, owner, source, key in
        do {
          guard isShared else { return try session.set(row.mapping, of: object, compiled) }
          try add(try session.targets(row.mapping, of: source, object, row.link.relationship), row, owner)
        } catch let fault as ExpressionFault {
          tally.note(fault, of: mapping, key)
        }
      }
    }
    try rows.endChunk()
    tally.tellErrors(of: mapping, &findings)
  }

  /// Sets relationships to objects of later passes; the inverses that these passes have set take precedence.
  func setWaiting() throws {
    guard expected.policy(of: mapping) == nil else { return }
    session.begin(mapping)
    for row in try relationships("waiting") {
      let later = expected.plan.mappings.filter { $0.pass > mapping.pass && leads(row, to: $0) }
      if later.isEmpty { continue }
      let inverse = row.link.inverse?.name
      let open = later.filter { other in !(inverse.map(other.mapping.sets) ?? false) }
      try beginClaims(row)
      try eachOwner { object, owner, source, _ in
        let targets = try session.targets(row.mapping, of: source, object, row.link.relationship)
        try addWaiting(targets, row, owner) { target in
          try open.contains { try rows.book.firstSource(of: target.place, mapping: $0.number) != nil }
        }
      }
    }
    try rows.endChunk()
  }

  func relationships(_ work: String) throws -> [Row] {
    let places = try rows.shape(of: mapping.destination).places
    return compiled.relationships.compactMap { row in
      guard case .link(let link)? = places[row.destinationName] else { return nil }
      return Row(mapping: row, link: link, claims: "\(work) \(mapping.number) \(row.destinationName)")
    }
  }

  /// Whether a relationship can lead to the objects of a mapping; only paths lead to those of later passes.
  private func leads(_ row: Row, to other: PassPlan.Mapping) -> Bool {
    guard let expression = try? RelationshipExpression(of: row.mapping) else { return false }
    if case .mapping(let name, _) = expression, name != other.mapping.name { return false }
    return expected.plan.destination.model.isKind(
      other.destination, of: row.link.relationship.destinationEntityName)
  }

  private func run(_ works: [Work]) throws(SQLiteError) {
    let bounds = [SQLiteValue.integer(.min), .integer(.max)]
    for statement in works.flatMap(\.statements) {
      let prepared = try expected.database.prepare(statement)
      try prepared.run(Array(bounds.prefix(prepared.parameterCount)))
    }
  }

  /// Calls the body for every object of the mapping, with its source object, in the order of source keys.
  func eachOwner(
    _ body: (_ object: ManagedObject, _ owner: DestinationContents, _ source: ManagedObject, _ key: Int64)
      throws
      -> Void
  ) throws {
    var last = Int64.min
    while true {
      let pairs = try rows.book.associations(
        mapping: mapping.number, after: last, upTo: .max, limit: BatchSize.rows)
      for pair in pairs where pair.source > last {
        last = pair.source
        rows.retire()
        guard let object = try rows.present(pair.destination),
          let owner = object.contents as? DestinationContents,
          let source = session.source.object(entity: mapping.source, key: pair.source)
        else { continue }
        try body(object, owner, source, pair.source)
        // An owner can have many targets.
        if rows.objects.count >= BatchSize.rows { try session.endBatch() }
      }
      try session.endBatch()
      if pairs.count < BatchSize.rows { return }
    }
  }

  // MARK: Claims

  /// Prepares the claims of owners, of which only the first counts.
  ///
  /// For a one-to-one, an owner that has a target already counts as claimed. For other relationships, no owner does.
  private func beginClaims(_ row: Row) throws {
    guard row.isOneToOne else { return }
    try rows.flush()
    let storage = row.link.storage
    try rows.statements.run(
      "INSERT OR IGNORE INTO main.\(Associations.claims) (work, owner) SELECT ?, \(quoted(storage.owner)) "
        + "FROM main.\(quoted(storage.table)) WHERE \(quoted(storage.target)) IS NOT NULL", [.text(row.claims)])
  }

  private func isFirstClaim(of owner: DestinationContents, _ row: Row) throws(SQLiteError) -> Bool {
    try rows.statements.first(
      "INSERT OR IGNORE INTO main.\(Associations.claims) (work, owner) VALUES (?, ?) RETURNING 1",
      [.text(row.claims), .integer(owner.key)]) != nil
  }

  /// Whether an owner can get its single target.
  private func isFree(_ owner: DestinationContents, _ row: Row) throws -> Bool {
    try row.isOneToOne ? isFirstClaim(of: owner, row) : owner.column(row.link.column).integer == nil
  }

  /// Adds targets to those that the same mapping has set; if only one is possible, the existing one stays.
  private func add(_ targets: [ManagedObject], _ row: Row, _ owner: DestinationContents) throws {
    let link = row.link
    if link.storage.kind == .owners {
      guard let first = targets.first, try isFree(owner, row) else { return }
      return try rows.setTarget(first, link, of: owner)
    }
    if try isFirstClaim(of: owner, row) { try rows.removeMembers(link, of: owner) }
    for target in targets {
      let member = try rows.contents(of: target, for: link, mapping.destination)
      if try !rows.has(member, link, owner) { try rows.put(member, link, into: owner, at: nil) }
    }
  }

  /// Adds those of the targets that are new, unless another owner has them already.
  private func addWaiting(
    _ targets: [ManagedObject], _ row: Row, _ owner: DestinationContents,
    if isNew: (DestinationContents) throws -> Bool
  ) throws {
    let link = row.link
    if link.storage.kind == .owners {
      guard let first = targets.first, try isFree(owner, row),
        try isNew(rows.contents(of: first, for: link, mapping.destination))
      else { return }
      return try rows.setTarget(first, link, of: owner)
    }
    let isPlaced = link.orderColumn != nil && compiled.unique == nil
    for (index, target) in targets.enumerated() {
      let member = try rows.contents(of: target, for: link, mapping.destination)
      let has = try rows.has(member, link, owner)
      let isFree = try link.storage.kind == .join || member.column(link.column).integer == nil
      guard try has ? isPlaced : isFree && isNew(member) else { continue }
      try rows.put(member, link, into: owner, at: isPlaced ? OrderingKeys.key(at: index) : nil)
    }
  }
}
