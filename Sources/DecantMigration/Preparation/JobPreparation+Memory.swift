internal import DecantCatalogue
internal import DecantReport
internal import DecantStore

/// Reuses answers for a store that is like an earlier one.
extension JobPreparation {
  /// The store's key in the family's memory; `nil` if the memory keeps no answers for such a store.
  func question(
    _ store: SourceStore, _ source: FamilyVersion, in family: Family
  ) -> FamilyQuestion.Store? {
    // A reference store may be readable now and unreadable later, so its answers aren't kept.
    guard family.memory != nil, family.referenceStores.isEmpty, source.origin == .catalogue, family.part == nil,
      store.kind == .sqlite,
      store.historyTables.isEmpty, store.cloudKitTables.isEmpty
    else { return nil }
    return FamilyQuestion.Store(
      version: source.index, name: source.name, framework: store.metadata.framework ?? .current,
      schema: store.schema, leadingColumns: store.leadingColumns)
  }

  func rememberedTarget(
    for source: FamilyVersion, in family: inout Family, _ question: FamilyQuestion.Store?
  ) throws(MigrationFailure) -> FamilyVersion {
    guard question != nil else { return try target(for: source, in: &family) }
    let target = FamilyQuestion.Target(source: source.index, name: source.name, wanted: job.target)
    let known = family
    return try known.remembered(target) { () throws(MigrationFailure) in
      var copy = known
      return try self.target(for: source, in: &copy)
    }
  }

  func rememberedPath(
    from source: FamilyVersion, to target: FamilyVersion, in family: Family, _ question: FamilyQuestion.Store?
  ) throws(MigrationFailure) -> PathPlan {
    try family.remembered(question.map { _ in pathQuestion(from: source, to: target) }) {
      () throws(MigrationFailure) in try path(from: source, to: target, in: family)
    }
  }

  func pathQuestion(from source: FamilyVersion, to target: FamilyVersion) -> FamilyQuestion.Path {
    FamilyQuestion.Path(
      source: source.index, sourceName: source.name, target: target.index, targetName: target.name,
      isRewrite: job.rewrite)
  }
}

extension Family {
  func remembered<Answer: Sendable, Failure: Error>(
    _ question: (some Hashable & Sendable)?, make: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    guard let memory, let question else { return try make() }
    return try memory.answer(to: question, make: make)
  }
}
