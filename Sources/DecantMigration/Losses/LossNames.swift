internal import DecantCatalogue
internal import DecantModel
internal import DecantReport

extension [MigrationReport.Loss] {
  /// The losses with the names of a version and with whether the family accepts each.
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
          && Self.inverse(of: loss, in: model).map {
            accepted.cover(entity: $0.entity, property: $0.property, in: model)
          } == true
      return loss
    }
  }

  /// The other end of a lost relationship: its pairs are the same.
  private static func inverse(
    of loss: MigrationReport.Loss, in model: ManagedObjectModel
  ) -> (entity: String, property: String)? {
    guard let name = loss.property, let relationship = model.relationship(name, of: loss.entity) else {
      return nil
    }
    return model.inverse(of: relationship).map { ($0.entity.name, $0.relationship.name) }
  }
}
