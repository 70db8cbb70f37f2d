/// How fast rows are done: over the last seconds, because stages and passes differ.
public struct ProgressRate: Sendable {
  /// The seconds that are looked back.
  static let window = 10.0
  /// The least seconds over which something is told.
  private static let least = 0.5
  /// The seconds between two moments that are kept.
  private static let pause = 0.25

  /// Where rows had come to, from the last moment before the window on.
  private var moments: [(time: Double, rows: Int)] = []
  private var latest: MigrationProgress?
  /// When rows were done last.
  private var lastAdvance = 0.0

  public init() {}

  /// Takes in where the work stands.
  ///
  /// - Parameter now: Seconds on any clock that moves on.
  public mutating func take(_ progress: MigrationProgress, at now: Double) {
    // What an earlier run has done is there before the first rows are read: it is no speed of this one.
    let hasBegun = latest?.stage == .open && progress.stage != .open
    let isNew = latest?.step != progress.step || progress.rowsDone < (latest?.rowsDone ?? 0)
    if isNew || hasBegun { moments = [] }
    let advances = isNew || hasBegun || progress.rowsDone != latest?.rowsDone
    latest = progress
    guard advances else { return }
    lastAdvance = now
    if moments.count > 1, let last = moments.last, now - last.time < Self.pause { return }
    moments.append((now, progress.rowsDone))
    while moments.count > 1, moments[1].time <= now - Self.window { moments.removeFirst() }
  }

  /// Up to the last rows that came: those of a long chunk come together, and indexes and checks are no slow rows; `nil`
  /// before it can be told.
  public var rowsPerSecond: Double? {
    guard let latest, let first = moments.first, lastAdvance - first.time >= Self.least,
      latest.rowsDone > first.rows
    else { return nil }
    return (Double(latest.rowsDone) - Double(first.rows)) / (lastAdvance - first.time)
  }

  /// Seconds until the last row of the pass.
  public var passSecondsLeft: Double? {
    rowsPerSecond.flatMap { rate in latest.map { $0.passRowsLeft / rate } }
  }

  /// Seconds until the last row of the last step.
  public var secondsLeft: Double? {
    rowsPerSecond.flatMap { rate in latest.map { $0.rowsLeft / rate } }
  }
}
