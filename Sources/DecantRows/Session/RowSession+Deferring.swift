internal import DecantMapping
internal import DecantPasses
internal import DecantPolicies
internal import DecantSQLite

/// The relationships that the base policy sets, which wait for the end of the chunk.
///
/// Then statements set them for all objects of the chunk.
///
/// If code reads or changes a relationship before that, the waiting relationships are first set object by object. All
/// later relationships of the mapping are set object by object, too.
extension RowSession {
  /// The objects that wait in the relate stage of one entity mapping.
  final class Deferred {
    let number: Int
    let links: LateLinks
    /// The waiting objects, in the order in which they came.
    var objects = KeyRuns()

    init(_ number: Int, _ links: LateLinks) {
      self.number = number
      self.links = links
    }
  }

  func beginDeferring(_ mapping: PassPlan.Mapping) throws {
    deferred = nil
    guard let links = try lateLinks(mapping) else { return }
    deferred = Deferred(mapping.number, links)
  }

  /// The statements of a mapping; `nil` if its objects are related one by one.
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
    // If an earlier process has begun with these statements, the conditions held at that time, and no other work has
    // been done since. The written pairs break the conditions, so the conditions aren't checked again.
    if try counts.rows(RowCounts.together, mapping: mapping.number) > 0 { return links }
    for condition in links.conditions where try database.integer(condition) != 0 { return nil }
    return links
  }

  /// Makes an object wait; false if it must be related at once.
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

  /// Relates the waiting objects one by one; all later objects of this mapping are related one by one, too.
  func settle() throws {
    isTouchedInResume = true
    guard let waiting = deferred else { return }
    deferred = nil
    lateLinks[waiting.number] = .some(nil)
    try counts.add(1, RowCounts.oneByOne, mapping: waiting.number)
    guard let mapping = mappings[waiting.number] else { return }
    for (index, place) in waiting.objects.keys.enumerated() {
      if index % BatchSize.rows == BatchSize.rows - 1 { try releaseObjects() }
      guard let object = try destination.object(associated: place, in: manager.destinationContext) else {
        continue
      }
      try relateNow(object, mapping)
    }
  }

  /// Relates the waiting objects at the end of a chunk.
  ///
  /// - Parameter objects: The number of the chunk's objects that the policy has got.
  func endDeferring(after lower: Int64, upTo upper: Int64, objects: Int) throws {
    guard let waiting = deferred else { return }
    guard waiting.objects.count == objects else { return try settle() }
    deferred = nil
    guard objects > 0 else { return }
    try write(waiting, leavesOrdered: false, after: lower, upTo: upper)
  }

  private func write(
    _ waiting: Deferred, leavesOrdered: Bool, after lower: Int64, upTo upper: Int64
  ) throws {
    targets.forget()
    for statement in waiting.links.statements(leavesOrdered: leavesOrdered) {
      try destination.statements.run(statement, [.integer(lower), .integer(upper)])
    }
    try counts.add(1, RowCounts.together, mapping: waiting.number)
  }

  // MARK: Without objects

  /// Relates a chunk's objects by statements, if this is possible.
  ///
  /// The policy has no relating method of its own, so it gets no object.
  func relateUnseen(
    _ policy: EntityMigrationPolicy, _ mapping: MigrationEntityMapping, after lower: Int64, upTo upper: Int64
  ) throws -> Bool {
    guard let waiting = deferred else { return false }
    deferred = nil
    try calling(policy, .relate(mapping.number), nil) {
      try write(waiting, leavesOrdered: leavesOrdered(policy), after: lower, upTo: upper)
    }
    return true
  }

  /// Writes the deferred pairs in the order of their join table.
  ///
  /// - Parameter place: The index among the mapping's join tables.
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

  /// Whether pairs can wait until all objects have been related.
  ///
  /// They can wait only if no code of the application sees the pairs before that. A resumable policy might see them.
  private func leavesOrdered(_ policy: EntityMigrationPolicy) -> Bool {
    !OverriddenMethod.hasOwnRelating(type(of: policy)) && !(policy is any ResumableMigrationPolicy)
  }
}
