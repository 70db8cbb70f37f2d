internal import DecantMigration
package import DecantReport
package import DecantSpool
package import FileNames

/// The record of a job on disk, `work/JOB/job.json` (states: docs/spool-states.md).
package struct JobRecord: Sendable, Hashable, Codable {
  package enum State: String, Sendable, Codable {
    /// The drop's files are being renamed out of `incoming/`.
    case claiming
    /// The job waits for a worker, or has a worker.
    case queued
    /// The job waits for a retry or a change of the catalogue; see `hold`.
    case waiting
    /// The result is good and moves to `done/`.
    case delivering
    /// The store is refused and moves to `failed/`.
    case refusing
  }

  /// Why a job waits.
  package struct Hold: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Codable {
      /// The job waits until a moment.
      case retry
      /// The job waits until the catalogue changes.
      case catalogue
    }

    package var cause: Cause
    /// The end of the wait with `retry`, in seconds since 1970; `nil` with `catalogue`.
    package var until: Double?
    package var failure: MigrationFailure
    /// When the wait began, in seconds since 1970; `nil` with `catalogue`, and in records of daemons that didn't write
    /// it.
    package var since: Double?

    /// Whether a retry is due.
    ///
    /// A retry is also due if the clock is more than a minute before the beginning of the wait: the clock was set back,
    /// and the end of the wait may be years away. The minute is a tolerance, because a turn of the loop compares with
    /// the time of its start, and a wait may begin later in this turn.
    func isDue(at now: Double) -> Bool {
      cause == .retry && ((until ?? 0) <= now || since.map { now < $0 - 60 } ?? false)
    }
  }

  /// What is delivered to `done/`.
  package enum Delivery: String, Sendable, Codable {
    /// The worker's output, with the original in `original/`.
    case outputKeepingOriginal
    /// The worker's output; the original is deleted.
    case outputAlone
    /// The source itself, byte for byte.
    case source
  }

  /// The current format number of records.
  ///
  /// The number rises when an older daemon would misread the record, or the files that the record describes.
  package static let currentFormat = 1

  /// The format number; `nil`, which means 1, in records of daemons that wrote no number.
  package var format: Int? = JobRecord.currentFormat
  package var id: String
  /// The order of arrival, from 1.
  package var arrival: Int
  package var state: State
  package var drop: FileName
  package var form: Drop.Form
  /// The names that were taken from `incoming/`.
  package var members: [FileName]
  /// The store file in `source/`; `nil` if the drop has none or several.
  package var store: FileName?
  package var family: String?
  package var target: String?
  package var priority = 0
  /// When the drop was claimed, in seconds since 1970.
  package var claimedAt: Double
  /// The size of all files in `source/`, in bytes.
  package var bytes: Int64 = 0
  /// The digest of `source/` at the claim, or when a change of the files was last found.
  package var fingerprint = ""
  /// The number of workers that died during the job, plus the number of faults of Decant or a policy, since the job's
  /// claim or its last restart.
  package var strikes = 0
  /// The number of attempts, including the attempt that refused the store.
  ///
  /// `nil` if the store isn't refused, or if the reason didn't come from a worker's run.
  package var attempts: Int?
  /// How often the job was put off after a failure that may pass.
  ///
  /// The count begins anew with a restart, and with a run that has committed a chunk.
  package var retries = 0
  package var hold: Hold?
  /// Whether an administrator has cancelled the job.
  ///
  /// The job leaves as soon as no worker has it. `nil` if it isn't cancelled.
  package var cancelled: Bool?
  package var delivery: Delivery?
  /// `true` if the whole delivery was made durable before its decision was written; otherwise `nil`.
  package var hasDurableOutput: Bool?

  package init(
    id: String, arrival: Int, state: State, drop: FileName, form: Drop.Form, members: [FileName],
    store: FileName?,
    claimedAt: Double
  ) {
    self.id = id
    self.arrival = arrival
    self.state = state
    self.drop = drop
    self.form = form
    self.members = members
    self.store = store
    self.claimedAt = claimedAt
  }

  /// Whether a daemon can have written this record: each name is valid in a folder, and the counts and the size are
  /// within their bounds.
  ///
  /// A damaged record must not lead out of the spool, nor end the daemon by an overflow.
  var isPossible: Bool {
    let names = members + [drop] + (store.map { [$0] } ?? [])
    let counts = 0...Int(Int32.max)
    return names.allSatisfy {
      !$0.bytes.isEmpty && !$0.bytes.contains(0) && !$0.bytes.contains(0x2F) && $0 != "." && $0 != ".."
    } && (0...1 << 53).contains(arrival) && counts.contains(strikes) && counts.contains(retries)
      && counts.contains(attempts ?? 0) && bytes >= 0
  }

  var isHeld: Bool { state == .waiting && hold?.cause == .catalogue }

  /// Whether the job's last hold came from too little room on the disk.
  var hasLackedRoom: Bool { hold?.cause == .retry && hold?.failure.reason == .noRoom }

  /// The cause, in the log and in `/status`, of a job that waits for room on the disk.
  static let spaceCause = "space"

  /// The cause of the job's hold, in the log and in `/status`.
  var waitCause: String {
    hasLackedRoom ? Self.spaceCause : (hold?.cause ?? .retry).rawValue
  }

  /// The store's name for people; the drop's name if the store isn't known.
  package var title: String { (store ?? drop).description }
}
