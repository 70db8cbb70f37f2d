package import DecantModel

extension MigrationFailure {
  /// The failure that a failed disk ends a job with: it says nothing of the store, and another try may do better.
  package init(_ failure: DiskFailure, family: String? = nil) {
    self.init(
      .disk, message: "\(failure).", advice: DiskFailure.advice,
      family: family)
  }

  package var isOfDisk: Bool { reason == .disk }
}
