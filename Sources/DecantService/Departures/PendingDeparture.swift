internal import DecantMigration
internal import DecantReport
internal import DecantSpool

/// An incomplete move of a job from `work/` to `done/` or `failed/`.
///
/// After a failure that may pass, such as a full disk, the move is tried again.
struct PendingDeparture {
  /// The work that is left.
  enum Kind: Sendable {
    case deliver(MigrationReport)
    case refuse(MigrationFailure)
    /// The decision is made and written; only the folder has to move.
    case complete
  }

  var record: JobRecord
  var kind: Kind
  var peakMemory: Int?
  /// The figures of a delivered job's passes.
  var figures: [PassFigures.Place: PassFigures] = [:]
  /// The seconds of all runs of a delivered job together; `nil` if they aren't known.
  var wholeSeconds: Double?
  var attempts = 0
  /// Whether an attempt runs on a disk queue.
  var isUnderWay = false
  /// No attempt begins before this moment, in seconds of the steady clock.
  var notBefore: Double
  var message = ""
}

extension PendingDeparture.Kind {
  /// Whether a failure makes the result unreliable.
  ///
  /// If a migrated store couldn't be made durable or is missing, the job runs again. A second sync could report success
  /// wrongly.
  func isSpoiled(by failure: FileFailure, _ record: JobRecord) -> Bool {
    guard case .deliver(let report) = self, report.result == .migrated, record.state != .delivering else {
      return false
    }
    return failure.operation == "fsync" || failure.isMissing
  }

  /// Carries out the move.
  ///
  /// - Parameter again: Whether an earlier attempt failed.
  /// - Returns: The folder's name in `done/` or `failed/`; `nil` if an earlier run had moved it there.
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

  /// The note for the program of `onDone` or `onFailed` that has to run.
  ///
  /// - Parameter report: The report of a delivery that an earlier process decided.
  func programNote(_ record: JobRecord, _ report: MigrationReport?, folder: String?) -> ProgramNote {
    var note = ProgramNote(record: record, folder: folder)
    switch self {
    case .deliver(let report): (note.result, note.family) = (report.result.rawValue, report.family)
    case .refuse(let failure): (note.reason, note.family) = (failure.reason.word, failure.family)
    case .complete: (note.result, note.family) = (report?.result.rawValue, report?.family)
    }
    note.family = note.family ?? record.family
    return note
  }
}
