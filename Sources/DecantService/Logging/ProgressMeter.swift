internal import DecantMigration
package import DecantReport

/// Turns a running job's progress into log lines.
///
/// Each change of pass, stage or entity mapping gives a line. Otherwise there is about one line a second, or one in ten
/// seconds if nothing changes.
package struct ProgressMeter: Sendable {
  /// The seconds after which a line is repeated although nothing has changed.
  static let silence = 10.0
  /// The seconds between lines with changes: a little less than one, so that no line is late.
  static let pace = 0.75

  package let job: String
  package let store: String
  package private(set) var latest: MigrationProgress?
  private var lastLine: Double?
  private var rate = ProgressRate()

  package init(job: String, store: String) {
    self.job = job
    self.store = store
  }

  /// Takes an event; true if a line is due.
  package mutating func observe(_ progress: MigrationProgress, at now: Double) -> Bool {
    let isNewPass = latest.map { ($0.step, $0.pass) != (progress.step, progress.pass) } ?? true
    let isNewStage =
      isNewPass || latest?.stage != progress.stage || latest?.entityMapping != progress.entityMapping
    rate.take(progress, at: now)
    let pause = progress == latest ? Self.silence : Self.pace
    latest = progress
    guard isNewStage || now - (lastLine ?? -.infinity) >= pause else { return false }
    lastLine = now
    return true
  }

  /// True if a line is due without an event.
  package mutating func tick(at now: Double) -> Bool {
    guard latest != nil, let lastLine, now - lastLine >= Self.silence else { return false }
    self.lastLine = now
    return true
  }

  /// The current speed in source rows read per second; `nil` before it is known.
  package var rowsPerSecond: Double? { rate.rowsPerSecond }

  /// Seconds to the last row of the pass; `nil` unless the speed of each kind of its work is known.
  package var passSecondsLeft: Double? { rate.measuredPassSecondsLeft }

  /// Seconds to the last row of the last step; `nil` before this step, or if the speed of a kind of work isn't known.
  package var measuredSecondsLeft: Double? { rate.measuredSecondsLeft }

  /// Like `measuredSecondsLeft`, but for scheduling: work of unknown speed is assumed to have the current speed.
  package var secondsLeft: Double? { rate.secondsLeft }

  /// The fields of a progress line, without those that all lines of a job have.
  package func fields(peakMemory: Int?) -> [(String, String)] {
    guard let latest else { return [] }
    var fields = [("event", "progress")]
    // While the store is checked, there is no step. Before and after the passes of a step, there is no pass.
    if latest.steps > 0 {
      fields += [
        ("step", "\(latest.step)/\(latest.steps)"), ("from", latest.sourceVersion),
        ("to", latest.destinationVersion),
      ]
    }
    if latest.passes > 0 { fields += [("pass", "\(latest.pass)/\(latest.passes)"), ("name", latest.passName)] }
    fields += [("stage", latest.stage.rawValue), ("mapping", latest.entityMapping ?? "")]
    if latest.chunks > 0 { fields.append(("chunk", "\(latest.chunk)/\(latest.chunks)")) }
    if let total = latest.filesTotal { fields.append(("files", "\(latest.filesDone ?? 0)/\(total)")) }
    fields.append(("passRows", "\(latest.passRowsDone)/\(latest.passRowsTotal)"))
    fields.append(("rows", "\(latest.rowsDone)/\(latest.rowsTotal)"))
    if let count = latest.associations { fields.append(("associations", "\(count)")) }
    if let rate = rowsPerSecond { fields.append(("rowsPerSecond", Self.whole(rate))) }
    if let left = passSecondsLeft { fields.append(("passEtaSeconds", Self.whole(left))) }
    if let left = measuredSecondsLeft { fields.append(("etaSeconds", Self.whole(left))) }
    if let peakMemory { fields.append(("peakMiB", Self.mebibytes(peakMemory))) }
    return fields
  }

  static func whole(_ value: Double) -> String { value < 9e15 ? String(Int(value.rounded())) : "" }

  /// Bytes as MiB with one digit after the point.
  package static func mebibytes(_ bytes: Int) -> String {
    let tenths = bytes / 104_858 + (bytes % 104_858 >= 52_429 ? 1 : 0)
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
