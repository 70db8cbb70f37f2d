internal import DecantModel
internal import DecantStore

/// Pairs of relationships of which the destination can keep only one for each object, where the source has several.
struct DisplacedPairs {
  private let pairing: EntityPairing

  init(_ pairing: EntityPairing) {
    self.pairing = pairing
  }

  /// The losses, under the names of the source.
  func losses(in store: SourceStore) throws(StoreError) -> [MigrationReport.Loss] {
    var losses: [MigrationReport.Loss] = []
    for (property, storages) in StepWork(pairing, leadingColumns: [:]).filledLate() {
      guard let former = former(property) else { continue }
      var values = 0
      for storage in storages {
        let rows = try store.rows(
          "SELECT count(*) - count(DISTINCT \(quoted(storage.owner))) FROM \(quoted(storage.table)) "
            + "WHERE \(quoted(storage.owner)) IS NOT NULL AND \(quoted(storage.target)) IS NOT NULL")
        values += rows.first?.first?.integer.flatMap { Int(exactly: $0) } ?? 0
      }
      guard values > 0 else { continue }
      losses.append(.init(kind: .relationship, entity: former.entity, property: former.name, values: values))
    }
    return losses
  }

  /// The source relationship whose pairs a destination relationship takes over, by its own mapping or its inverse's.
  private func former(_ property: StoreLayout.Property) -> StoreLayout.Property? {
    let model = pairing.destination.model
    var ends = [property]
    if let inverse = model.relationship(property.name, of: property.entity).flatMap(model.inverse) {
      ends.append(StoreLayout.Property(entity: inverse.entity.name, name: inverse.relationship.name))
    }
    for end in ends {
      for pair in pairing.pairs(intoFamilyOf: end.entity) {
        let mapping = pair.mapping.relationshipMappings.first { $0.destinationName == end.name }
        if let name = mapping?.sourceName { return pairing.source.property(name, of: pair.source) }
      }
    }
    return nil
  }
}
