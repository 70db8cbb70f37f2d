internal import DecantMigration
internal import DecantReport

/// Shows the engine's progress as a bar on a terminal, or as regular lines elsewhere.
struct ProgressDisplay: Sendable {
  /// The seconds between lines: a little less than one, so that no line is late.
  private static let pace = 0.75

  private let isTerminal: Bool
  private let width: Int
  private var lastShown = -Double.infinity
  private var lastProgress: MigrationProgress?
  private var rate = ProgressRate()
  private var isBarShown = false

  init(isTerminal: Bool, width: Int) {
    self.isTerminal = isTerminal
    self.width = width
  }

  /// The text to write now; `nil` if the last text is too recent.
  ///
  /// - Parameter time: Seconds on any clock that never goes back.
  mutating func text(for progress: MigrationProgress, at time: Double) -> String? {
    rate.take(progress, at: time)
    let pause = isTerminal ? 0.1 : progress == lastProgress ? TalkLine.silence : Self.pace
    guard time - lastShown >= pause else { return nil }
    lastShown = time
    lastProgress = progress
    guard isTerminal else { return line(progress) + "\n" }
    isBarShown = true
    return "\r\u{1b}[K" + bar(progress)
  }

  /// The text that removes the bar, if there is one.
  mutating func end() -> String {
    defer { isBarShown = false }
    return isBarShown ? "\r\u{1b}[K" : ""
  }

  private func line(_ progress: MigrationProgress) -> String {
    guard progress.steps > 0 else { return "decant: checking the store" }
    var parts = ["decant: \(versions(progress)), \(work(progress))"]
    if progress.rowsTotal > 0 {
      parts.append(
        "\(Quantity.count(progress.rowsDone)) of \(Quantity.count(progress.rowsTotal, "row")) (\(percent(progress)) %)"
      )
    }
    if let rate = rows(progress) { parts.append(rate) }
    if let left = left(progress) {
      parts.append(
        left.pass.map { "about \($0) left of the pass, \(left.whole) in all" } ?? "about \(left.whole) left")
    }
    return parts.joined(separator: ", ")
  }

  private func bar(_ progress: MigrationProgress) -> String {
    let length = 20
    let filled = length * percent(progress) / 100
    var text =
      "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled) + "] "
      + DisplayWidth.pad("\(percent(progress))", to: 3, leading: true) + " %"
    var parts: [String] = []
    let left = left(progress)
    if let left { parts.append("\(left.whole) left") }
    if let rate = rows(progress) { parts.append(rate) }
    if progress.rowsTotal > 0 {
      parts.append("\(Quantity.count(progress.rowsDone)) of \(Quantity.count(progress.rowsTotal, "row"))")
    }
    if progress.passes > 1 {
      parts.append("pass \(progress.pass)/\(progress.passes)" + (left?.pass.map { ", \($0)" } ?? ""))
    }
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

  /// Never 100, because checks and indexes follow the last row.
  private func percent(_ progress: MigrationProgress) -> Int { Int(min(99, 100 * progress.part)) }

  /// Rows per second; `nil` before they are known, and when all are done.
  private func rows(_ progress: MigrationProgress) -> String? {
    guard progress.rowsDone < progress.rowsTotal, let rate = rate.rowsPerSecond else { return nil }
    return "\(Quantity.count(Int(min(rate, 1e15)))) rows/s"
  }

  /// The time until the last row, and until the last row of the pass if that is earlier.
  private func left(_ progress: MigrationProgress) -> (whole: String, pass: String?)? {
    guard progress.rowsLeft > 0, let whole = rate.secondsLeft,
      let pass = rate.passSecondsLeft
    else { return nil }
    return (Quantity.duration(whole), pass > 0 && pass < whole ? Quantity.duration(pass) : nil)
  }
}
