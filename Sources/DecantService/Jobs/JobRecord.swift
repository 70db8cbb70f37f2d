internal import DecantMigration
package import DecantReport
package import DecantSpool
package import FileNames

/// The record of a job on disk, `work/JOB/job.json` (states: docs/spool-states.md).
package struct JobRecord: Sendable, Hashable, Codable {
  /// The state of a job.
  package enum State: String, Sendable, Codable {
    /// Its files are being renamed out of `incoming/`.
    case claiming
    /// It waits for a worker, or has one.
    case queued
    /// It waits for a retry or a change; see `hold`.
    case waiting
    /// Its result is good and moves to `done/`.
    case delivering
    /// It moves to `failed/`.
    case refusing
  }

  /// Why a job waits.
  package struct Hold: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Codable {
      /// Until a moment.
      case retry
      /// Until the catalogue changes.
      case catalogue
    }

    package var cause: Cause
    /// Seconds since 1970; with `retry`.
    package var until: Double?
    package var failure: MigrationFailure
    /// When the wait began, in seconds since 1970; `nil` in records of daemons that didn't write it.
    package var since: Double?

    /// Whether a retry is due.
    ///
    /// It is also due if the clock was set back to a minute before the wait began, or more: its end may then be years away.
    /// A turn of the loop uses the time of its start, which is a little earlier than the waits that begin in it.
    func isDue(at now: Double) -> Bool {
      cause == .retry && ((until ?? 0) <= now || since.map { now < $0 - 60 } ?? false)
    }
  }

  /// What is delivered to `done/`.
  package enum Delivery: String, Sendable, Codable {
    /// The worker's output. The original is kept beside it or deleted.
    case outputKeepingOriginal
    case outputAlone
    /// The source itself, byte for byte.
    case source
  }

  /// The number of this form of the record.
  ///
  /// It rises when an older daemon would misread the record, or the files that it describes.
  package static let currentFormat = 1

  /// `nil` in records of daemons that wrote no number; the same as 1.
  package var format: Int? = JobRecord.currentFormat
  package var id: String
  /// The order of arrival, from 1.
  package var arrival: Int
  package var state: State
  /// The name in `incoming/`.
  package var drop: FileName
  package var form: Drop.Form
  /// The names that were taken from `incoming/`.
  package var members: [FileName]
  /// The store file in `source/`; `nil` where the drop has none.
  package var store: FileName?
  package var family: String?
  package var target: String?
  package var priority = 0
  /// Seconds since 1970.
  package var claimedAt: Double
  /// The size of all files in `source/`.
  package var bytes: Int64 = 0
  /// The digest of `source/` when the job was last started or claimed.
  package var fingerprint = ""
  /// Workers that died over the store, and faults of Decant's own.
  package var strikes = 0
  /// The attempts before the store was refused; `nil` if it isn't refused, or was refused without a worker.
  package var attempts: Int?
  /// How often the job was put off since its last progress.
  package var retries = 0
  package var hold: Hold?
  /// Whether an administrator has cancelled it.
  ///
  /// It leaves as soon as no worker has it. `nil` if it isn't cancelled.
  package var cancelled: Bool?
  package var delivery: Delivery?
  /// Whether the worker's output was durable when the delivery was decided; `nil` if that wasn't checked.
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

  /// Whether a daemon can have written it: each name is that of one entry in a folder, and no number is out of bounds.
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

  /// Whether the job waits for a change of the catalogue.
  var isHeld: Bool { state == .waiting && hold?.cause == .catalogue }

  /// Whether a worker has last ended the job because the disk had too little room for it.
  var hasLackedRoom: Bool { hold?.cause == .retry && hold?.failure.reason == .noRoom }

  /// What a job waits for that needs room on the disk.
  static let spaceCause = "space"

  /// What the job's hold waits for, in the log and in `/status`.
  var waitCause: String {
    hasLackedRoom ? Self.spaceCause : (hold?.cause ?? .retry).rawValue
  }

  /// The store's name in messages.
  package var title: String { (store ?? drop).description }
}
