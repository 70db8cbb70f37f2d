internal import DecantModel
internal import DecantStore

extension StepWork {
  /// The pairs may come from two source relationships (`RelationshipOrigin.Union`).
  ///
  /// A pair that both have is copied once, so it makes no difference which relationship is copied first.
  func copies(_ join: StoreLayout.JoinTable) -> [Work] {
    let property = join.second.relationship
    return origin.allStorages(of: property).map {
      JoinCopy("\(property)", from: $0, into: join, leadingColumns: leadingColumns).work
    }
  }
}
