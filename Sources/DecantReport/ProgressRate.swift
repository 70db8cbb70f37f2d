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
    // Rows of an earlier run are counted before this run reads any. They don't count for the speed.
    let hasBegun = progress.stage == .open || latest?.stage == .open
    // When a count replaces an estimate, the finished rows change with it.
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
    latest.flatMap { seconds($0.passRowsLeftByKind, otherwise: $0.passRowsLeft) }
  }

  /// Estimated seconds until the last row of the last step.
  public var secondsLeft: Double? {
    guard let latest else { return nil }
    guard let left = latest.rowsLeftByKind else { return seconds(nil, otherwise: latest.rowsLeft) }
    guard let rate = rowsPerSecond, let own = seconds(left, otherwise: 0) else { return nil }
    // A later step is assumed to have as many rows as this one.
    return own + max(0, Double(latest.steps) - Double(latest.step)) * Double(latest.rowsTotal) / rate
  }

  /// Seconds for the remaining rows of the kinds whose speed is known, if there are others or later steps; `nil` if
  /// `secondsLeft` counts on known speeds alone.
  ///
  /// An object of a list takes as long as its list, so a speed says nothing about other kinds.
  public var leastSecondsLeft: Double? {
    guard let latest, let left = latest.rowsLeftByKind else { return nil }
    let known = left.filter { speed(of: $0.key) != nil }
    guard known.count < left.count || latest.step < latest.steps else { return nil }
    return seconds(known, otherwise: 0)
  }

  /// The seconds that are left, if they count on known speeds alone: what may be shown.
  public var measuredSecondsLeft: Double? { leastSecondsLeft == nil ? secondsLeft : nil }

  /// The same for the pass.
  public var measuredPassSecondsLeft: Double? {
    let kinds = latest?.passRowsLeftByKind?.keys.map { $0 } ?? []
    return kinds.allSatisfy { speed(of: $0) != nil } ? passSecondsLeft : nil
  }

  private func seconds(_ left: [String: Int]?, otherwise rows: Double) -> Double? {
    guard let rate = rowsPerSecond else { return nil }
    guard let left else { return rows / rate }
    return left.reduce(0) { $0 + Double($1.value) / (speed(of: $1.key) ?? rate) }
  }

  /// Rows per second of a kind of work; `nil` if it isn't known yet.
  private func speed(of kind: String) -> Double? {
    guard let kind = kinds[kind], kind.seconds >= Self.least, kind.rows > 0 else { return nil }
    return kind.rows / kind.seconds
  }
}
