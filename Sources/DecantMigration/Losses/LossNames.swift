internal import DecantCatalogue
internal import DecantModel
internal import DecantReport
internal import DecantStore

extension [MigrationReport.Loss] {
  /// The losses with the version whose names they use.
  ///
  /// Each loss says whether it is accepted: the family accepts it, or the mapping models remove the objects.
  ///
  /// - Parameters:
  ///   - version: `nil` for the store's own version.
  ///   - model: That version's model.
  func named(version: String?, in model: ManagedObjectModel, accepted: AcceptedLosses) -> Self {
    map { loss in
      var loss = loss
      loss.version = version
      loss.accepted =
        loss.cause == .removed || accepted.cover(entity: loss.entity, property: loss.property, in: model)
        || loss.cause == .unlinked
          // The inverse has the same pairs, so it is enough if the family accepts the loss of the inverse.
          && loss.property.flatMap { model.inverse(of: .init(entity: loss.entity, name: $0)) }.map {
            accepted.cover(entity: $0.entity, property: $0.name, in: model)
          } == true
      return loss
    }
  }
}
