package import DecantModel

extension MigrationFailure {
  /// The failure of a job because of a failed disk; it says nothing about the store, and another try may succeed.
  package init(_ failure: DiskFailure, family: String? = nil) {
    self.init(
      .disk, message: "\(failure).", advice: DiskFailure.advice,
      family: family)
  }

  package var isOfDisk: Bool { reason == .disk }
}
