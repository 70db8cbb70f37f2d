internal import DecantMigration

/// A job on its way out that has met a full disk or the like, and is tried again.
struct PendingDeparture {
  /// What is left to do.
  enum Kind {
    case deliver(MigrationReport)
    case refuse(MigrationFailure)
    /// It is decided, and written down, where the job goes.
    case complete
  }

  var kind: Kind
  var peakMemory: Int?
  var attempts = 0
  /// Seconds of the steady clock.
  var notBefore: Double
  /// What went wrong the last time.
  var message = ""
}
