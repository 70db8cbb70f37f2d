internal import DecantModel
internal import DecantStore

/// Pairs of relationships of which the destination can keep only one for each object, where the source has several.
struct DisplacedPairs {
  let pairing: EntityPairing
  let origins: StoreOrigins
  let step: Int
  /// The layout of the store, which is that of the first step's source.
  let layout: StoreLayout

  init(_ pairing: EntityPairing, origins: StoreOrigins, step: Int, layout: StoreLayout) {
    self.pairing = pairing
    self.origins = origins
    self.step = step
    self.layout = layout
  }

  /// The losses, under the names of the store.
  func losses(in store: SourceStore) throws(StoreError) -> [MigrationReport.Loss] {
    var losses = try unionLosses(in: store)
    for ends in StepWork(pairing, leadingColumns: [:]).endsFilledLate() {
      var former: StoreLayout.Property?
      var storages: [RelationshipStorage] = []
      for end in ends {
        guard let pairs = origins.pairs(of: end.name, entity: end.entity, step: step),
          let storage = RelationshipStorage(of: pairs.name, entity: pairs.entity, in: layout)
        else { continue }
        former = former ?? layout.property(pairs.name, of: pairs.entity)
        let seen = pairs.isReversed == end.isReversed ? storage : storage.reversed
        if !storages.contains(seen) { storages.append(seen) }
      }
      var values = 0
      for storage in storages {
        let rows = try store.rows(
          "SELECT count(*) - count(DISTINCT \(quoted(storage.owner))) FROM \(quoted(storage.table)) "
            + "WHERE \(quoted(storage.owner)) IS NOT NULL AND \(quoted(storage.target)) IS NOT NULL")
        values += rows.first?.first?.integer.flatMap { Int(exactly: $0) } ?? 0
      }
      guard values > 0, let former else { continue }
      losses.append(.init(kind: .relationship, entity: former.entity, property: former.name, values: values))
    }
    return losses
  }
}
