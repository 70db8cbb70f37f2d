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
  /// It is under way on a disk queue.
  var isUnderWay = false
  /// Seconds of the steady clock.
  var notBefore: Double
  /// What went wrong the last time.
  var message = ""
}

extension PendingDeparture.Kind {
  /// Whether a result can't be relied on any more after a failure: what couldn't be made durable is made anew rather
  /// than written down another time, in the hope of a better answer.
  func isSpoiled(by failure: FileFailure, _ record: JobRecord) -> Bool {
    guard case .deliver(let report) = self, report.result == .migrated, record.state != .delivering else {
      return false
    }
    return failure.operation == "fsync" || failure.isMissing
  }

  /// Sees a job out.
  ///
  /// - Parameter again: Whether it was tried before.
  /// - Returns: The folder's name in `done/` or `failed/`; `nil` where an earlier run had brought it there.
  func carryOut(
    _ exit: Departure, _ record: inout JobRecord, originals: ServiceConfiguration.Originals, at wall: Double,
    again: Bool
  ) throws(FileFailure) -> String? {
    if record.state != .delivering, record.state != .refusing {
      if again { try exit.revoke(record) }
      switch self {
      case .deliver(let report): try exit.deliver(&record, report, originals: originals)
      case .refuse(let failure): try exit.refuse(&record, failure, at: wall)
      case .complete: break
      }
    }
    return try exit.complete(record)
  }
}
