internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

extension DisplacedPairs {
  /// Pairs of one relationship as the store keeps them, with the tables of the objects at both ends.
  private struct StorePairs: Hashable {
    let storage: RelationshipStorage
    let owners: String
    let targets: String

    /// The pairs whose objects exist at both ends.
    var living: String {
      "SELECT s.\(quoted(storage.owner)) AS a, s.\(quoted(storage.target)) AS b FROM \(quoted(storage.table)) AS s "
        + "WHERE EXISTS (SELECT 1 FROM \(quoted(owners)) AS o WHERE o.Z_PK = s.\(quoted(storage.owner))) "
        + "AND EXISTS (SELECT 1 FROM \(quoted(targets)) AS t WHERE t.Z_PK = s.\(quoted(storage.target)))"
    }
  }

  /// The losses to count for two relationships without an inverse that become inverses of each other.
  ///
  /// The new relationship gets the pairs of both (`RelationshipOrigin.Union`). If one of the two is to-one, some pairs
  /// may not fit. The questions use the names of the store.
  func unionQuestions() -> [Question] {
    var questions: [Question] = []
    let work = StepWork(pairing, leadingColumns: [:])
    for union in pairing.destination.tables.flatMap(work.unionColumns) {
      guard let ends = work.origin.union(of: union.property), let former = property(of: ends.second) else {
        continue
      }
      let (first, second) = (pairs(ends.first), pairs(ends.second))
      guard !first.isEmpty, !second.isEmpty else { continue }
      let isOneToOne = work.toOneInverse(of: union.property) != nil
      let statement =
        "WITH f AS (\(first.map(\.living).joined(separator: " UNION "))), "
        + "m AS (\(isOneToOne ? "SELECT max(a) AS a, b FROM f GROUP BY b" : "SELECT a, b FROM f")), "
        + "g AS (\(second.map(\.living).joined(separator: " UNION "))) "
        + "SELECT (SELECT count(*) FROM g) - (SELECT count(*) FROM g WHERE (a, b) IN (SELECT a, b FROM m)) "
        + "- (SELECT count(DISTINCT a) FROM g WHERE a NOT IN (SELECT a FROM m)"
        + (isOneToOne ? " AND b NOT IN (SELECT b FROM m))" : ")")
      questions.append(Question(property: former, statements: [statement]))
    }
    return questions
  }

  private func property(of ends: [RelationshipOrigin.End]) -> StoreLayout.Property? {
    for end in ends {
      if let pairs = origins.pairs(of: end.name, entity: end.entity, step: step) {
        return layout.property(pairs.name, of: pairs.entity)
      }
    }
    return nil
  }

  private func pairs(_ ends: [RelationshipOrigin.End]) -> [StorePairs] {
    var found: [StorePairs] = []
    for end in ends {
      guard let pairs = origins.pairs(of: end.name, entity: end.entity, step: step),
        let storage = RelationshipStorage(of: pairs.name, entity: pairs.entity, in: layout),
        let relationship = layout.model.relationship(pairs.name, of: pairs.entity),
        let own = layout.table(of: pairs.entity)?.name,
        let other = layout.table(of: relationship.destinationEntityName)?.name
      else { continue }
      let seen =
        pairs.isReversed == end.isReversed
        ? StorePairs(storage: storage, owners: own, targets: other)
        : StorePairs(storage: storage.reversed, owners: other, targets: own)
      if !found.contains(seen) { found.append(seen) }
    }
    return found
  }
}
