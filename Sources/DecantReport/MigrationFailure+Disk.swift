package import DecantModel

extension MigrationFailure {
  /// The failure of a job because the disk failed.
  ///
  /// The store may be good, and another try may succeed.
  package init(_ failure: DiskFailure, family: String? = nil) {
    self.init(
      .disk, message: "\(failure).", advice: DiskFailure.advice,
      family: family)
  }

  package var isOfDisk: Bool { reason == .disk }
}
