internal import DecantMigration
internal import DecantReport
internal import FileNames

/// The lines of the progress log and the journal about a delivered store's passes, objects and losses.
struct OutcomeLines {
  let report: MigrationReport
  /// The memory and disk space that the job had used at the ends of its passes, as far as known.
  var figures: [PassFigures.Place: PassFigures] = [:]

  /// One line, without the fields that all lines of a job have.
  struct Line {
    var event: String
    var fields: [(String, String)]
    /// The journal's sentence, to be put after the job's name; `nil` if the journal gets none.
    var words: String?
    /// The name of the pass that the line is about; `nil` for a line about no pass.
    var pass: String?
  }

  /// The lines before `event=done`.
  var before: [Line] { summaries + strays + counts + losses }

  /// The shortest time in seconds of a step that gets a sentence in the journal.
  static let leastSeconds = 1.0

  private var summaries: [Line] {
    report.steps.enumerated().flatMap { index, step in
      let (number, passes) = (index + 1, step.passes.count)
      var lines: [Line] = []
      for (place, name) in step.passes.enumerated() {
        let entities = passes == 1 ? step.entities : step.entities.filter { $0.pass == name }
        lines.append(
          summary(
            of: entities.sum(), step: step, number,
            seconds: step.passSeconds.indices.contains(place)
              ? step.passSeconds[place] : passes == 1 ? step.seconds : nil,
            pass: (name, place + 1)))
      }
      return lines + [summary(of: step.entities.sum(), step: step, number, seconds: step.seconds, pass: nil)]
    }
  }

  /// The line about a pass, or about a whole step.
  private func summary(
    of rows: MigrationReport.EntityRows, step: MigrationReport.Step, _ number: Int, seconds: Double?,
    pass: (name: String, number: Int)?
  ) -> Line {
    let figures = figures[.init(step: number, pass: pass?.number ?? step.passes.count)]
    let speed = step.rowsReadPerSecond(pass: pass?.number)
    let time = seconds.map { "\(($0 * 1000).rounded() / 1000)" }
    var fields = [
      ("step", "\(number)/\(report.steps.count)"), ("from", step.sourceVersion),
      ("to", step.destinationVersion),
    ]
    if let pass { fields += [("pass", "\(pass.number)/\(step.passes.count)"), ("name", pass.name)] }
    fields += [("rows", "\(rows.migrated)")] + Self.numbers(rows)
    if let time { fields.append(("seconds", time)) }
    if let speed { fields.append(("rowsPerSecond", ProgressMeter.whole(speed))) }
    if let peak = figures?.peakMemory { fields.append(("peakMiB", ProgressMeter.mebibytes(peak))) }
    if let disk = figures?.diskBytes { fields.append(("diskBytes", "\(disk)")) }
    var line = pass == nil ? Line(event: "step-done", fields: fields) : Line(event: "pass-done", fields: fields)
    line.pass = pass?.name
    guard step.seconds >= Self.leastSeconds else { return line }
    var words =
      "step \(number)/\(report.steps.count)"
      + (pass.map { ", pass \($0.number)/\(step.passes.count) “\($0.name)”" } ?? "")
      + ": \(rows.words)"
    if let time { words += "; \(time) s" }
    if let speed { words += ", \(ProgressMeter.whole(speed)) rows read/s" }
    if let peak = figures?.peakMemory { words += ", \(ProgressMeter.mebibytes(peak)) MiB of memory" }
    if let disk = figures?.diskBytes {
      words += ", \(ProgressMeter.mebibytes(Int(clamping: disk))) MiB on disk"
    }
    line.words = words + "."
    return line
  }

  /// The fields of `event=done`.
  ///
  /// The numbers of objects are those of the last step.
  var done: [(String, String)] {
    var fields: [(String, String)] = []
    if report.result == .migrated {
      let sum = (report.steps.last?.entities ?? []).sum()
      fields = [("rows", "\(sum.migrated)")] + Self.numbers(sum)
    }
    if let strays = report.strayRows { fields.append(("strayRows", "\(strays.rows)")) }
    let real = report.realLosses
    return fields + [("losses", "\(real.count)"), ("lostValues", "\(real.lostValues)")]
  }

  /// The words about losses in the journal's sentence about a finished job; empty if nothing is lost.
  var words: String {
    let real = report.realLosses
    guard !real.isEmpty else { return "" }
    let accepted = real.filter(\.accepted).count
    let share =
      accepted == 0 ? "" : accepted == real.count ? ", all accepted" : ", \(accepted) of them accepted"
    return " with \(real.count) \(real.count == 1 ? "loss" : "losses")\(share) "
      + "(\(real.lostValues) \(real.lostValues == 1 ? "value or object" : "values and objects"))"
  }

  var hasUnacceptedLosses: Bool { !report.realLosses.allSatisfy(\.accepted) }

  /// Rows of the source that belong to no entity, by table.
  private var strays: [Line] {
    (report.strayRows?.tables ?? []).map { table in
      Line(
        event: "stray-rows",
        fields: [
          ("table", table.table), ("rows", "\(table.rows)"),
          ("quarantine", report.strayRows?.store.map { PrintedName.of($0) } ?? "-"),
        ])
    }
  }

  private var counts: [Line] {
    report.steps.enumerated().flatMap { index, step in
      step.entities.filter { $0.made != $0.source || $0.further > 0 }.map { rows in
        Line(
          event: "counted",
          fields: [
            ("step", "\(index + 1)/\(report.steps.count)"), ("name", rows.pass ?? ""),
            ("entityMapping", rows.entityMapping),
          ] + Self.numbers(rows))
      }
    }
  }

  private var losses: [Line] {
    report.realLosses.map { loss in
      Line(
        event: "loss",
        fields: [
          ("entity", loss.entity), ("property", loss.property ?? "-"), ("values", "\(loss.values)"),
          ("cause", loss.cause.rawValue), ("version", loss.version ?? ""), ("accepted", "\(loss.accepted)"),
        ])
    }
  }

  private static func numbers(_ rows: MigrationReport.EntityRows) -> [(String, String)] {
    [
      ("source", rows.source), ("made", rows.made), ("shared", rows.shared),
      ("withoutValue", rows.withoutValue),
      ("filtered", rows.filtered), ("refused", rows.refused), ("leftOut", rows.leftOut),
      ("further", rows.further),
    ].map { ($0.0, "\($0.1)") }
  }
}

extension MigrationFailure {
  var fields: [(String, String)] {
    [("message", message)]
      + (details.isEmpty ? [] : [("details", MigrationFailure.line(Array(details.prefix(20))))])
      + (advice.isEmpty ? [] : [("advice", advice)])
  }
}
