internal import DecantMigration
package import DecantReport

/// The daemon's status, as `/status` returns it.
///
/// Keys never change. Readers ignore unknown keys.
package struct ServiceStatus: Sendable, Hashable, Codable {
  package enum State: String, Sendable, Codable {
    case starting
    case running
    case stopping
  }

  package struct Counts: Sendable, Hashable, Codable {
    package var queued = 0
    package var running = 0
    package var waiting = 0
    /// The number of entries of `incoming/` that can't be taken.
    package var blocked = 0
    /// Folders in `done/` and `failed/`.
    package var done = 0
    package var failed = 0
  }

  /// Counts since the start of this process.
  package struct Totals: Sendable, Hashable, Codable {
    package var claimed = 0
    package var delivered = 0
    package var refused = 0
    package var retried = 0
    package var workerDeaths = 0
    /// Runs of `onDone` and `onFailed` that have failed.
    package var failedPrograms = 0
    /// Lost properties and entities of all delivered stores, and their values and objects.
    package var losses = 0
    package var lostValues = 0
    /// The objects of all delivered stores, in the last step of each.
    package var objects = Objects()
    /// The bytes of the stores that came to `done/` and to `failed/`.
    package var deliveredBytes: Int64 = 0
    package var refusedBytes: Int64 = 0
    /// The times from the claim to `done/`, and to `failed/`.
    package var deliveredSeconds = Durations()
    package var refusedSeconds = Durations()
    /// The times of the last run of each migrated store.
    package var migrationSeconds = Durations()
    /// When the last store came to `done/`, in seconds since 1970; `nil` if none has since the start.
    package var lastDelivered: Double?

    mutating func take(_ record: JobRecord, at wall: Double) {
      let seconds = wall - record.claimedAt
      if record.state == .delivering {
        delivered += 1
        deliveredBytes &+= record.bytes
        deliveredSeconds.add(seconds)
        lastDelivered = wall
      } else {
        refused += 1
        refusedBytes &+= record.bytes
        refusedSeconds.add(seconds)
      }
    }

    mutating func take(_ report: MigrationReport) {
      if report.result == .migrated { migrationSeconds.add(report.seconds) }
      let real = report.realLosses
      losses &+= real.count
      lostValues &+= real.lostValues
      objects.add((report.steps.last?.entities ?? []).sum())
    }
  }

  /// Counts of source objects and their outcomes: `source` is the sum of all other counts except `further`.
  package struct Objects: Sendable, Hashable, Codable {
    package var source = 0
    package var made = 0
    package var shared = 0
    package var withoutValue = 0
    package var filtered = 0
    package var refused = 0
    package var leftOut = 0
    package var further = 0

    mutating func add(_ rows: MigrationReport.EntityRows) {
      source &+= rows.source
      made &+= rows.made
      shared &+= rows.shared
      withoutValue &+= rows.withoutValue
      filtered &+= rows.filtered
      refused &+= rows.refused
      leftOut &+= rows.leftOut
      further &+= rows.further
    }
  }

  package struct Workers: Sendable, Hashable, Codable {
    package var configured = 0
    package var alive = 0
    package var busy = 0
    /// The settings `nice` and `ioPriority`.
    package var nice = 0
    package var ioPriority = "normal"
  }

  package struct Running: Sendable, Hashable, Codable {
    package var job: String
    /// The drop's name in `incoming/`, in printable form (`PrintedName`), as in the other lists.
    package var drop: String
    package var store: String
    package var bytes: Int64
    package var worker: Int32
    /// The number of the attempt, from 1; an attempt ends with the death of a worker, or a fault of Decant or a policy.
    package var attempt: Int
    package var seconds: Double
    package var progress: MigrationProgress?
    package var rowsPerSecond: Double?
    /// Seconds to the last row of the pass.
    package var passEtaSeconds: Double?
    /// Seconds to the last row of the last step.
    package var etaSeconds: Double?
    package var memoryBytes: Int?
    package var peakMemoryBytes: Int?
  }

  /// Figures about the jobs in `work/`; `bytes` counts only the stores that wait for a worker.
  package struct Queue: Sendable, Hashable, Codable {
    package var bytes: Int64 = 0
    /// Seconds until all running and queued jobs have ended; `nil` if that isn't known, without jobs, or while the
    /// daemon takes no work.
    package var etaSeconds: Double?
    /// Seconds since the oldest job in `work/` was taken; `nil` without jobs.
    package var oldestSeconds: Double?
  }

  package struct Queued: Sendable, Hashable, Codable {
    package var job: String
    package var drop: String
    package var store: String
    package var bytes: Int64
    package var priority: Int
    package var arrival: Int
  }

  package struct Waiting: Sendable, Hashable, Codable {
    package var job: String
    package var drop: String
    package var store: String
    /// `retry`, `catalogue`, `space` or `departure`.
    package var cause: String
    package var message: String
    /// When the job is tried again, in UTC; `nil` with `departure`, or if no moment is set.
    package var until: String?
  }

  /// An entry of `incoming/` that can't be taken, with one of its reasons.
  package struct Blocked: Sendable, Hashable, Codable {
    package var drop: String
    package var message: String
    package var command: String
  }

  /// A family that can't be used, or for which jobs wait.
  package struct Family: Sendable, Hashable, Codable {
    /// Empty if the family isn't known.
    package var family: String
    package var waiting: Int
    package var message: String
  }

  /// One condition of readiness.
  package struct Check: Sendable, Hashable, Codable {
    package var name: String
    /// Whether the condition holds; if not, the daemon isn't ready.
    package var ok: Bool
    /// Whether an administrator should look into the condition, although the daemon goes on.
    package var warning = false
    package var message: String
  }

  package var version = Migration.decantVersion
  package var process: Int32 = 0
  package var state = State.starting
  package var uptimeSeconds = 0.0
  package var spool = ""
  package var jobs = Counts()
  package var totals = Totals()
  package var queue = Queue()
  package var workers = Workers()
  /// The running jobs, the first 100 queued jobs, the first 100 waiting jobs, and the first 100 reasons of blocked
  /// drops.
  ///
  /// `jobs` has the numbers of all these jobs and drops.
  package var running: [Running] = []
  package var queued: [Queued] = []
  package var waiting: [Waiting] = []
  package var blocked: [Blocked] = []
  /// The number of waiting jobs for each cause; a cause without jobs is missing.
  package var waitingByCause: [String: Int] = [:]
  /// The last jobs that left `work/`, the latest first.
  package var results: [JobResult] = []
  /// The families with a problem.
  package var families: [Family] = []
  package var checks: [Check] = []
  package var pause: Pause?
  /// The free bytes and all bytes of the spool's file system.
  package var freeBytes: Int64 = 0
  package var sizeBytes: Int64 = 0
  /// The number of files that can still be created on the spool's file system.
  ///
  /// `nil` if the file system has no such limit, or if it can't be examined.
  package var freeFiles: Int64?

  package init() {}

  /// Whether drops are taken and jobs can go on.
  package var isReady: Bool { state == .running && checks.allSatisfy(\.ok) }
}
