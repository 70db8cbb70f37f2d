internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport

/// Shows the engine's progress as a bar on a terminal, or as regular lines elsewhere.
struct ProgressDisplay: Sendable {
  /// The least number of seconds between two lines.
  ///
  /// The engine reports about once a second. The number is a little less than one, so that each report has a line.
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
    if let total = progress.filesTotal {
      parts.append("\(grouped(progress.filesDone ?? 0)) of \(counted(total, "file"))")
    }
    if let objects = objects(progress) {
      parts.append(
        "\(objects) (\(percent(progress)) %)"
      )
    }
    if let rate = rows(progress) { parts.append(rate) }
    let left = left(progress)
    let whole = left.whole.map { left.isLeast ? "at least \($0)" : "about \($0)" }
    if let time = left.part {
      parts.append("about \(time) left of the \(part(progress))")
      if let whole { parts.append("\(whole) in all") }
    } else if let whole {
      parts.append("\(whole) left")
    }
    return parts.joined(separator: ", ")
  }

  /// The bar, then the parts that fit: first the place of the work, then the time left, then numbers.
  private func bar(_ progress: MigrationProgress) -> String {
    let length = width < 100 ? 10 : 20
    let filled = length * percent(progress) / 100
    var text =
      "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled) + "] "
      + DisplayWidth.pad("\(percent(progress))", to: 3, leading: true) + " %"
    func add(_ part: String) {
      if DisplayWidth.columns(of: text) + 2 + DisplayWidth.columns(of: part) < width { text += "  " + part }
    }
    if progress.steps > 1 { add("step \(progress.step)/\(progress.steps)") }
    if progress.passes > 1 { add("pass \(progress.pass)/\(progress.passes)") }
    let left = left(progress)
    let whole = left.whole.map { left.isLeast ? "at least \($0)" : $0 }
    let named = [
      left.part.map { "\(part(progress)) \($0)" }, whole.map { left.part == nil ? $0 : "all \($0)" },
    ]
    .compactMap(\.self)
    let times = named.isEmpty ? nil : named.joined(separator: ", ") + " left"
    // The place of the work gets the room beside the times. If this room is too little, the place gets all the room.
    let room = width - 1 - DisplayWidth.columns(of: text) - 2
    let reserved = times.map { DisplayWidth.columns(of: $0) + 2 } ?? 0
    if room >= 12 { add(work(progress, room: room - reserved >= 20 ? room - reserved : room)) }
    if let times { add(times) }
    if let objects = objects(progress) { add(objects) }
    if let rate = rows(progress) { add(rate) }
    return text
  }

  /// Long names lose their starts, because the ends distinguish them.
  private func work(_ progress: MigrationProgress, room: Int) -> String {
    let chunk =
      if let total = progress.filesTotal {
        " \(progress.filesDone ?? 0)/\(total)"
      } else {
        progress.chunks > 1 ? " \(progress.chunk)/\(progress.chunks)" : ""
      }
    let whole = PlainText.of(work(progress)) + chunk
    if DisplayWidth.columns(of: whole) <= room {
      guard let filter = progress.filter else { return whole }
      let rest = room - DisplayWidth.columns(of: whole) - 7
      return rest < 8 ? whole : "\(whole) where " + TextWrap.shortened(PlainText.of(filter), to: rest)
    }
    let stage = word(progress.stage)
    guard let name = progress.entityMapping else { return TextWrap.shortened(stage, to: room) }
    let own = room - stage.count - 1 - chunk.count
    guard own >= 4 else { return TextWrap.shortenedStart(PlainText.of(name), to: room) }
    return "\(stage) \(TextWrap.shortenedStart(PlainText.of(name), to: own))\(chunk)"
  }

  private func versions(_ progress: MigrationProgress) -> String {
    let step = progress.steps > 1 ? "step \(progress.step) of \(progress.steps), " : ""
    let pass = progress.passes > 1 ? ", pass \(progress.pass) of \(progress.passes)" : ""
    return "\(step)“\(progress.sourceVersion)” to “\(progress.destinationVersion)”\(pass)"
  }

  private func work(_ progress: MigrationProgress) -> String {
    let stage = word(progress.stage)
    return PlainText.of(progress.entityMapping.map { "\(stage) \($0)" } ?? stage)
  }

  private func word(_ stage: MigrationProgress.Stage) -> String {
    switch stage {
    case .open: "reading"
    case .create: "create"
    case .relate: "relate"
    case .validate: "validate"
    case .finish: "finish"
    }
  }

  /// The finished part in percent, never 100, because checks and indexes follow the last row.
  private func percent(_ progress: MigrationProgress) -> Int { Int(min(99, 100 * progress.part)) }

  private func objects(_ progress: MigrationProgress) -> String? {
    guard let total = progress.objectsTotal, total > 0 else { return nil }
    return "\(grouped(progress.objectsDone ?? 0)) of \(counted(total, "source object")) read"
  }

  private func rows(_ progress: MigrationProgress) -> String? {
    guard progress.rowsDone < progress.rowsTotal, let rate = rate.rowsPerSecond else { return nil }
    return Quantity.rowsRead(perSecond: rate)
  }

  /// `whole` is the time until the last row of all steps; `part` is the time until the last row of the current pass or
  /// step, if that is earlier.
  ///
  /// A time without a reliable estimate is `nil`. If the speed for some of the remaining rows isn't known yet,
  /// `isLeast` is true: the work takes at least `whole`.
  private func left(_ progress: MigrationProgress) -> (whole: String?, isLeast: Bool, part: String?) {
    let part = rate.measuredPassSecondsLeft
    let (whole, isLeast) = rate.measuredSecondsLeft.map { ($0, false) } ?? (rate.leastSecondsLeft, true)
    let isEarlier = whole.map { (part ?? $0) < $0 } ?? true
    return (whole.map(DurationText.of), isLeast, isEarlier ? part.map(DurationText.of) : nil)
  }

  private func part(_ progress: MigrationProgress) -> String { progress.passes > 1 ? "pass" : "step" }
}
