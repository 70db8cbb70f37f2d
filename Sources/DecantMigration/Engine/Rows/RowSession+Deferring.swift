internal import DecantMapping
internal import DecantSQLite

/// Relationships that the base class of policies is asked to set wait for the end of the chunk, and are set with
/// statements for all its objects.
///
/// Who looks at a relationship or changes one meanwhile gets what had been set by then: those that wait are set first,
/// object by object, and so is everything that follows.
extension RowSession {
  /// What waits in the relate stage of one entity mapping.
  final class Deferred {
    /// The mapping's.
    let number: Int
    let links: LateLinks
    /// The objects that wait, in the order in which they came up.
    var objects = KeyRuns()

    init(_ number: Int, _ links: LateLinks) {
      self.number = number
      self.links = links
    }
  }

  /// Begins a chunk of the relate stage.
  func beginDeferring(_ mapping: PassPlan.Mapping) throws {
    deferred = nil
    guard let links = try lateLinks(mapping) else { return }
    deferred = Deferred(mapping.number, links)
  }

  /// The statements of a mapping; `nil` where its objects are related one by one.
  private func lateLinks(_ mapping: PassPlan.Mapping) throws -> LateLinks? {
    if let known = lateLinks[mapping.number] { return known }
    let found = try freshLinks(mapping)
    lateLinks[mapping.number] = .some(found)
    return found
  }

  private func freshLinks(_ mapping: PassPlan.Mapping) throws(SQLiteError) -> LateLinks? {
    guard let links = LateLinks(plan, mapping),
      try counts.rows(RowCounts.oneByOne, mapping: mapping.number) == 0
    else { return nil }
    // An earlier process may have begun with them; nothing else has come between.
    if try counts.rows(RowCounts.together, mapping: mapping.number) > 0 { return links }
    for condition in links.conditions where try database.integer(condition) != 0 { return nil }
    return links
  }

  /// Lets an object wait; false where it has to be related at once.
  func `defer`(_ dInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws -> Bool {
    guard let deferred, deferred.number == mapping.number, dInstance === presented,
      let contents = dInstance.contents as? DestinationContents
    else {
      try settle()
      return false
    }
    presented = nil
    deferred.objects.append(contents.place)
    return true
  }

  /// Relates what waits object by object, as everything that comes after it in this mapping.
  func settle() throws {
    isTouchedInResume = true
    guard let waiting = deferred else { return }
    deferred = nil
    lateLinks[waiting.number] = .some(nil)
    try counts.add(1, RowCounts.oneByOne, mapping: waiting.number)
    guard let mapping = mappings[waiting.number] else { return }
    for (index, place) in waiting.objects.keys.enumerated() {
      if index % Self.batch == Self.batch - 1 { try letGo() }
      guard let object = try destination.object(associated: place, in: manager.destinationContext) else {
        continue
      }
      try relateNow(object, mapping)
    }
  }

  /// Relates what waits at the end of a chunk.
  ///
  /// - Parameter objects: How many came up in the chunk.
  func endDeferring(after lower: Int64, upTo upper: Int64, objects: Int) throws {
    guard let waiting = deferred else { return }
    guard waiting.objects.count == objects else { return try settle() }
    deferred = nil
    guard objects > 0 else { return }
    targets.forget()
    for statement in waiting.links.statements(leavesOrdered: false) {
      try destination.statements.run(statement, [.integer(lower), .integer(upper)])
    }
    try counts.add(1, RowCounts.together, mapping: waiting.number)
  }

  // MARK: Without a look

  /// Relates the objects of a chunk for a policy that leaves it to the base class, none of which anybody sees.
  ///
  /// - Returns: Whether it could be done.
  func relateUnseen(
    _ policy: EntityMigrationPolicy, _ mapping: MigrationEntityMapping, after lower: Int64, upTo upper: Int64
  ) throws -> Bool {
    guard let waiting = deferred else { return false }
    deferred = nil
    try calling(policy, .relate(mapping.number), nil) {
      targets.forget()
      for statement in waiting.links.statements(leavesOrdered: leavesOrdered(policy)) {
        try destination.statements.run(statement, [.integer(lower), .integer(upper)])
      }
      try counts.add(1, RowCounts.together, mapping: mapping.number)
    }
    return true
  }

  /// Writes pairs that were left out, in the order of their join table.
  ///
  /// - Parameter place: Which of the mapping's join tables it is.
  func pair(
    _ place: Int, of mapping: PassPlan.Mapping, _ policy: EntityMigrationPolicy, after lower: Int64,
    upTo upper: Int64
  ) throws {
    guard leavesOrdered(policy), try counts.rows(RowCounts.together, mapping: mapping.number) > 0,
      let ordered = try lateLinks(mapping)?.joins[place].ordered
    else { return }
    try calling(policy, .pair(mapping.number, place), nil) {
      targets.forget()
      try destination.statements.run(ordered.statement, [.integer(lower), .integer(upper)])
    }
  }

  /// Whether pairs can wait until all objects have been related: no code of the app sees them meanwhile, as a policy
  /// that is resumed might.
  private func leavesOrdered(_ policy: EntityMigrationPolicy) -> Bool {
    !OverriddenMethod.hasOwnRelating(type(of: policy)) && !(policy is any ResumableMigrationPolicy)
  }
}
