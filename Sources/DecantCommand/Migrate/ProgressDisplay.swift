internal import DecantMigration

/// Turns the engine's progress into a bar on a terminal, or into a line now and then elsewhere.
struct ProgressDisplay: Sendable {
  /// The seconds between lines: a little less than one, so that none comes later than that.
  private static let pace = 0.9

  private let isTerminal: Bool
  private let width: Int
  private var lastShown = -Double.infinity
  private var lastProgress: MigrationProgress?
  private var pass: [Int] = []
  private var passStart = 0.0
  private var rowsAtStart = 0
  /// The rows that were told last, and since when.
  private var rowsDone = (rows: 0, since: 0.0)
  private var isBarShown = false

  init(isTerminal: Bool, width: Int) {
    self.isTerminal = isTerminal
    self.width = width
  }

  /// What to write now; `nil` where the last text is young.
  ///
  /// - Parameter time: Seconds on any clock that moves on.
  mutating func text(for progress: MigrationProgress, at time: Double) -> String? {
    if pass != [progress.step, progress.pass] {
      pass = [progress.step, progress.pass]
      passStart = time
      rowsAtStart = progress.rowsDone
    }
    if progress.rowsDone != rowsDone.rows { rowsDone = (progress.rowsDone, time) }
    let pause = isTerminal ? 0.1 : progress == lastProgress ? TalkLine.silence : Self.pace
    guard time - lastShown >= pause else { return nil }
    lastShown = time
    lastProgress = progress
    guard isTerminal else { return line(progress, at: time) + "\n" }
    isBarShown = true
    return "\r\u{1b}[K" + bar(progress, at: time)
  }

  /// What takes the bar away, where there is one.
  mutating func end() -> String {
    defer { isBarShown = false }
    return isBarShown ? "\r\u{1b}[K" : ""
  }

  private func line(_ progress: MigrationProgress, at time: Double) -> String {
    guard progress.steps > 0 else { return "decant: checking the store" }
    var parts = ["decant: \(versions(progress)), \(work(progress))"]
    if progress.rowsTotal > 0 {
      parts.append(
        "\(Quantity.count(progress.rowsDone)) of \(Quantity.count(progress.rowsTotal, "row")) (\(percent(progress)) %)"
      )
    }
    if let rate = rate(progress, at: time) { parts.append("\(Quantity.count(Int(rate))) rows/s") }
    if let left = left(progress, at: time) {
      parts.append(
        left.pass.map { "about \($0) left of the pass, \(left.whole) in all" } ?? "about \(left.whole) left")
    }
    return parts.joined(separator: ", ")
  }

  private func bar(_ progress: MigrationProgress, at time: Double) -> String {
    let length = 20
    let filled = length * percent(progress) / 100
    var text =
      "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled) + "] "
      + DisplayWidth.pad("\(percent(progress))", to: 3, leading: true) + " %"
    var parts: [String] = []
    let left = left(progress, at: time)
    if let left { parts.append("\(left.whole) left") }
    if let rate = rate(progress, at: time), progress.rowsDone < progress.rowsTotal {
      parts.append("\(Quantity.count(Int(rate))) rows/s")
    }
    if progress.rowsTotal > 0 {
      parts.append("\(Quantity.count(progress.rowsDone)) of \(Quantity.count(progress.rowsTotal, "row"))")
    }
    if let pass = left?.pass { parts.append("pass \(pass)") }
    if progress.steps > 1 { parts.append("step \(progress.step)/\(progress.steps)") }
    for part in parts where text.count + 2 + part.count < width { text += "  " + part }
    let room = width - 1 - text.count - 2
    if room >= 8 { text += "  " + TextWrap.shortened(work(progress), to: room) }
    return text
  }

  private func versions(_ progress: MigrationProgress) -> String {
    let step = progress.steps > 1 ? "step \(progress.step) of \(progress.steps), " : ""
    let pass = progress.passes > 1 ? ", pass \(progress.pass) of \(progress.passes)" : ""
    return "\(step)“\(progress.sourceVersion)” to “\(progress.destinationVersion)”\(pass)"
  }

  private func work(_ progress: MigrationProgress) -> String {
    let stage =
      switch progress.stage {
      case .open: "reading"
      case .create: "create"
      case .relate: "relate"
      case .validate: "validate"
      case .finish: "finish"
      }
    return PlainText.of(progress.entityMapping.map { "\(stage) \($0)" } ?? stage)
  }

  /// Never 100: checks and indexes are still to come when the last row is there.
  private func percent(_ progress: MigrationProgress) -> Int {
    guard progress.rowsTotal > 0 else { return progress.stage == .finish ? 99 : 0 }
    return Int(min(99, max(0, Double(progress.rowsDone) / Double(progress.rowsTotal) * 100)))
  }

  private func rate(_ progress: MigrationProgress, at time: Double) -> Double? {
    // Indexes and checks are no slow rows.
    let seconds = (progress.rowsDone >= progress.rowsTotal ? rowsDone.since : time) - passStart
    let rows = Double(progress.rowsDone) - Double(rowsAtStart)
    return seconds >= 1 && rows > 0 ? min(rows / seconds, 1e15) : nil
  }

  /// The time until the last row, and that until the last of the pass, where it is another.
  private func left(_ progress: MigrationProgress, at time: Double) -> (whole: String, pass: String?)? {
    guard let rate = rate(progress, at: time), progress.rowsLeft > 0 else { return nil }
    let whole = Quantity.duration(progress.rowsLeft / rate)
    guard progress.passRowsLeft > 0, progress.passRowsLeft < progress.rowsLeft else { return (whole, nil) }
    return (whole, Quantity.duration(progress.passRowsLeft / rate))
  }
}
