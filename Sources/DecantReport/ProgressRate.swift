/// The speed in rows per second over the last seconds, because stages and passes differ.
public struct ProgressRate: Sendable {
  /// The length of the window in seconds.
  static let window = 10.0
  /// The shortest time in seconds that gives a speed.
  private static let least = 0.5
  /// The shortest time in seconds that gives an estimate of the time that is left.
  private static let soundness = 2.0
  /// The seconds between two samples.
  private static let pause = 0.25

  /// The samples: row counts, starting with the last one before the window.
  private var moments: [(time: Double, rows: Int)] = []
  private var latest: MigrationProgress?
  /// When the row count last grew.
  private var lastAdvance = 0.0

  public init() {}

  /// Adds a sample.
  ///
  /// - Parameter now: Seconds of any clock that only moves forward.
  public mutating func take(_ progress: MigrationProgress, at now: Double) {
    // Rows of an earlier run are counted before this run reads any. They don't count for the speed.
    let hasBegun = progress.stage == .open || latest?.stage == .open
    // When a count replaces an estimate, the finished rows change with it.
    let isCounted = latest?.rowsTotal != progress.rowsTotal
    let isNew = latest?.step != progress.step || isCounted || progress.rowsDone < (latest?.rowsDone ?? 0)
    if isNew || hasBegun { moments = [] }
    let advances = isNew || hasBegun || progress.rowsDone != latest?.rowsDone
    latest = progress
    guard advances else { return }
    lastAdvance = now
    if moments.count > 1, let last = moments.last, now - last.time < Self.pause { return }
    moments.append((now, progress.rowsDone))
    while moments.count > 1, moments[1].time <= now - Self.window { moments.removeFirst() }
  }

  /// The speed up to the time of the last rows; `nil` if it isn't known yet.
  ///
  /// The rows of a long chunk are all counted at its end. The time for indexes and checks must not make the rows seem
  /// slow.
  public var rowsPerSecond: Double? {
    guard let latest, let first = moments.first, lastAdvance - first.time >= Self.least,
      latest.rowsDone > first.rows
    else { return nil }
    return (Double(latest.rowsDone) - Double(first.rows)) / (lastAdvance - first.time)
  }

  /// Whether the speed was measured for long enough to tell the time that is left.
  public var isSound: Bool {
    guard let first = moments.first, rowsPerSecond != nil else { return false }
    return lastAdvance - first.time >= Self.soundness
  }

  /// Estimated seconds until the last row of the pass.
  public var passSecondsLeft: Double? {
    rowsPerSecond.flatMap { rate in latest.map { $0.passRowsLeft / rate } }
  }

  /// Estimated seconds until the last row of the last step.
  public var secondsLeft: Double? {
    rowsPerSecond.flatMap { rate in latest.map { $0.rowsLeft / rate } }
  }
}
