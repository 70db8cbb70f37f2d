/// The speed in source rows read per second over the last seconds, because stages and passes have different speeds.
///
/// A row counts each time that a stage of an entity mapping reads it, also if the mapping's filter excludes the row.
public struct ProgressRate: Sendable {
  /// The length of the window in seconds.
  static let window = 10.0
  /// The shortest time in seconds that gives a speed.
  private static let least = 0.5
  /// The shortest time in seconds that gives an estimate for display.
  private static let soundness = 2.0
  /// The seconds between two samples.
  private static let pause = 0.25

  /// The samples: row counts, starting with the last one before the window.
  private var moments: [(time: Double, rows: Int)] = []
  private var latest: MigrationProgress?
  /// The rows and seconds of each kind of work.
  private var kinds: [String: (rows: Double, seconds: Double)] = [:]
  private var lastTaken = 0.0
  /// When the row count last grew.
  private var lastAdvance = 0.0

  public init() {}

  /// Adds a sample.
  ///
  /// - Parameter now: Seconds of any clock that only moves forward.
  public mutating func take(_ progress: MigrationProgress, at now: Double) {
    // Rows of an earlier run are counted before this run reads any. Such rows don't count for the speed.
    let hasBegun = progress.stage == .open || latest?.stage == .open
    // When a count replaces an estimated total, the number of finished rows changes, too.
    let isCounted = latest?.rowsTotal != progress.rowsTotal
    let isNew = latest?.step != progress.step || isCounted || progress.rowsDone < (latest?.rowsDone ?? 0)
    if isNew || hasBegun { moments = [] }
    if latest?.step != progress.step { kinds = [:] }
    if !isNew, !hasBegun, let latest, let kind = latest.kind {
      kinds[kind, default: (0, 0)].rows += Double(progress.rowsDone) - Double(latest.rowsDone)
      kinds[kind, default: (0, 0)].seconds += now - lastTaken
    }
    lastTaken = now
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
  /// The rows of a long chunk are all counted at its end. Later work without rows, such as indexes and checks, doesn't
  /// lower the speed.
  public var rowsPerSecond: Double? {
    guard let latest, let first = moments.first, lastAdvance - first.time >= Self.least,
      latest.rowsDone > first.rows
    else { return nil }
    return (Double(latest.rowsDone) - Double(first.rows)) / (lastAdvance - first.time)
  }

  /// Seconds until the last row of the pass; `nil` unless the speed of all its remaining work was measured.
  public var measuredPassSecondsLeft: Double? {
    guard let latest, let left = measured(latest.passRowsLeftByKind, otherwise: latest.passRowsLeft),
      left.unknownRows == 0, left.seconds > 0
    else { return nil }
    return left.seconds
  }

  /// Seconds until the last row of the last step; `nil` unless the speed of all remaining work was measured.
  public var measuredSecondsLeft: Double? {
    guard let latest, latest.step >= latest.steps,
      let left = measured(latest.rowsLeftByKind, otherwise: latest.stepRowsLeft), left.unknownRows == 0,
      left.seconds > 0
    else { return nil }
    return left.seconds
  }

  /// The least seconds until the last row, if the speed of some remaining rows isn't known yet.
  ///
  /// It is `nil` if the speed is known for all remaining rows, or for less than half of them. In the second case the
  /// time would fall to 0 before the work of unknown speed begins.
  public var leastSecondsLeft: Double? {
    guard let latest, let left = measured(latest.rowsLeftByKind, otherwise: latest.stepRowsLeft) else {
      return nil
    }
    let unknown = left.unknownRows + latest.laterRows
    guard unknown > 0, unknown <= left.rows, left.seconds > 0 else { return nil }
    return left.seconds
  }

  /// Seconds until the last row of the last step, for scheduling and not for display.
  ///
  /// Work of unknown speed is assumed to have the current speed. The time is `nil` if the current speed isn't known.
  public var secondsLeft: Double? {
    guard let latest, let rate = rowsPerSecond else { return nil }
    let own = latest.rowsLeftByKind?.reduce(0) { sum, kind in
      sum + Double(kind.value) / (speed(of: kind.key, after: Self.least) ?? rate)
    }
    return (own ?? latest.stepRowsLeft / rate) + latest.laterRows / rate
  }

  /// The remaining rows of known speed, the seconds for these, and the remaining rows of unknown speed.
  ///
  /// `nil` until the speed has been measured for long enough.
  private func measured(
    _ left: [String: Int]?, otherwise rows: Double
  ) -> (rows: Double, seconds: Double, unknownRows: Double)? {
    guard let rate = rowsPerSecond, let first = moments.first, lastAdvance - first.time >= Self.soundness else {
      return nil
    }
    guard let left else { return (rows, rows / rate, 0) }
    var sum = (rows: 0.0, seconds: 0.0, unknownRows: 0.0)
    for (kind, rows) in left where rows > 0 {
      if let speed = speed(of: kind, after: Self.soundness) {
        sum.rows += Double(rows)
        sum.seconds += Double(rows) / speed
      } else {
        sum.unknownRows += Double(rows)
      }
    }
    return sum
  }

  /// The measured rows per second of a kind of work that has run for at least `seconds`.
  ///
  /// The speed of one kind says nothing about another kind. For example, an object with a long list takes long.
  private func speed(of kind: String, after seconds: Double) -> Double? {
    guard let kind = kinds[kind], kind.seconds >= seconds, kind.rows > 0 else { return nil }
    return kind.rows / kind.seconds
  }
}
