internal import DecantMigration

/// A job on its way out; one that has met a full disk or the like is tried again.
struct PendingDeparture {
  /// What is left to do.
  enum Kind: Sendable {
    case deliver(MigrationReport)
    case refuse(MigrationFailure)
    /// It is decided, and written down, where the job goes.
    case complete
  }

  var kind: Kind
  var peakMemory: Int?
  var attempts = 0
  /// A clerk is at it.
  var isUnderWay = false
  /// Seconds of the steady clock.
  var notBefore: Double
  /// What went wrong the last time.
  var message = ""
}

extension PendingDeparture.Kind {
  /// Sees a job out.
  ///
  /// - Returns: The folder's name in `done/` or `failed/`; `nil` where an earlier run had brought it there.
  func carryOut(
    _ exit: Departure, _ record: inout JobRecord, originals: ServiceConfiguration.Originals, at wall: Double
  ) throws(FileFailure) -> String? {
    if record.state != .delivering, record.state != .refusing {
      switch self {
      case .deliver(let report): try exit.deliver(&record, report, originals: originals)
      case .refuse(let failure): try exit.refuse(&record, failure, at: wall)
      case .complete: break
      }
    }
    return try exit.complete(record)
  }
}
