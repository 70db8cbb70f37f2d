internal import DecantConsole
internal import DecantModel
internal import DecantReport

/// A running job in words, for `decant status` and `decant top`.
struct JobWords {
  let job: DaemonStatus.Running

  var progress: MigrationProgress? { job.progress?.value }

  var store: String { PlainText.of(job.store) }

  /// The finished part in percent, never 100: checks and the delivery follow the last row.
  var percent: Int { progress.map { Int(min(99, 100 * $0.part)) } ?? 0 }

  /// The finished part of the pass in percent.
  var passPercent: Int {
    guard let progress, progress.passRowsTotal > 0 else { return 0 }
    return Int(max(0, min(100, 100 * Double(progress.passRowsDone) / Double(progress.passRowsTotal))))
  }

  /// The time until the last row of all steps.
  var left: String? { Self.time(job.etaSeconds) }

  /// The time until the last row of the pass.
  var passLeft: String? { Self.time(job.passEtaSeconds) }

  /// `[####------]  42 %`.
  static func bar(_ percent: Int, length: Int) -> String {
    let filled = length * max(0, min(100, percent)) / 100
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled) + "] "
      + DisplayWidth.pad("\(percent)", to: 3, leading: true) + " %"
  }

  /// `job 2026…-1, drop “Notas”, 34.0 MiB, for 12 s`.
  var origin: String {
    var parts = ["job \(PlainText.of(job.job))"]
    if let drop = job.drop, !drop.isEmpty { parts.append("drop “\(PlainText.of(drop))”") }
    if let family = progress?.family { parts.append("family “\(PlainText.of(family))”") }
    if let bytes = job.bytes { parts.append(Quantity.bytes(bytes)) }
    if let seconds = job.seconds { parts.append("for \(DurationText.of(seconds))") }
    if let attempt = job.attempt, attempt > 1 { parts.append("attempt \(attempt)") }
    return parts.joined(separator: ", ")
  }

  /// `step 1 of 2, “Notas” to “Notas 2”`; `nil` while the store is being checked.
  var step: String? {
    guard let progress, progress.steps > 0 else { return nil }
    let versions = "“\(PlainText.of(progress.sourceVersion))” to “\(PlainText.of(progress.destinationVersion))”"
    return progress.steps > 1 ? "step \(progress.step) of \(progress.steps), \(versions)" : versions
  }

  /// `pass 1 of 2, “StepOne”, about 5 s left of it`; `nil` for the only pass.
  var pass: String? {
    guard let progress, progress.passes > 1 else { return nil }
    let name = progress.passName.isEmpty ? "" : ", “\(PlainText.of(progress.passName))”"
    return "pass \(progress.pass) of \(progress.passes)\(name)"
      + (passLeft.map { ", about \($0) left of it" } ?? "")
  }

  /// `create NotaToNota, chunk 3 of 12, where …`.
  var work: String {
    guard let progress, progress.steps > 0 else { return "checking the store" }
    var text = progress.stage == .open ? "reading" : progress.stage.rawValue
    if let mapping = progress.entityMapping { text += " " + PlainText.of(mapping) }
    if progress.chunks > 0 { text += ", chunk \(progress.chunk) of \(progress.chunks)" }
    if let total = progress.filesTotal {
      text += ", \(grouped(progress.filesDone ?? 0)) of \(counted(total, "file"))"
    }
    if let filter = progress.filter { text += ", where \(PlainText.of(filter))" }
    return text
  }

  /// `12,000 of 400,000 source objects read, 24,000 associations, 31,000 rows read/s, memory 61 MiB, peak 93 MiB`.
  var numbers: String {
    var parts: [String] = []
    if let progress, let total = progress.objectsTotal, total > 0 {
      parts.append(
        "\(grouped(progress.objectsDone ?? 0)) of \(counted(total, "source object")) read")
    }
    if let count = progress?.associations, count > 0 { parts.append(counted(count, "association")) }
    if let rate = job.rowsPerSecond, rate.isFinite, rate >= 0 {
      parts.append(Quantity.rowsRead(perSecond: rate))
    }
    if let memory = job.memoryBytes { parts.append("memory \(Quantity.bytes(memory))") }
    if let peak = job.peakMemoryBytes { parts.append("peak \(Quantity.bytes(peak))") }
    return parts.joined(separator: ", ")
  }

  private static func time(_ left: Double?) -> String? {
    left.flatMap { $0 > 0 ? DurationText.of($0) : nil }
  }
}
