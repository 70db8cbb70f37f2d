internal import DecantModel
internal import DecantStore

extension StepWork {
  /// Copies the pairs of a many-to-many relationship from their storages in the source.
  ///
  /// In a union, a pair that both ends have is one pair. The order of the two ends makes no difference.
  func copies(_ join: StoreLayout.JoinTable) -> [Work] {
    let property = join.second.relationship
    return origin.allStorages(of: property).map {
      JoinCopy("\(property)", from: $0, into: join, leadingColumns: leadingColumns).work
    }
  }
}
