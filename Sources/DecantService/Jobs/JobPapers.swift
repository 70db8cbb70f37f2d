internal import DecantMigration
internal import DecantReport
internal import FileNames
internal import Foundation

/// The report files beside a store: JSON for programs, and text and HTML for people.
enum JobPapers {
  static func json(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Only a wrong time measurement could give a number that JSON can't express.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return ((try? encoder.encode(value)) ?? Data("{}".utf8)) + Data("\n".utf8)
  }

  /// The report with the facts that only the daemon knows: the names of drop and file, the job, the time of the claim.
  static func signed(_ report: MigrationReport, _ record: JobRecord) -> MigrationReport {
    var report = report
    report.drop = record.drop.description
    report.file = (record.store ?? record.drop).text
    report.job = record.id
    report.claimed = Timestamp.text(record.claimedAt)
    return report
  }

  static func page(_ report: MigrationReport) -> Data { ReportPage.data(report) }

  static func page(_ reason: RefusalReason) -> Data {
    RefusalPage.data(
      store: reason.store, reason: reason.reason, message: reason.message, details: reason.details,
      advice: reason.advice,
      facts: [
        ("drop", reason.drop), ("job", reason.job), ("family", reason.family), ("claimed", reason.claimed),
        ("refused", reason.time), ("attempts", reason.attempts > 0 ? "\(reason.attempts)" : nil),
        ("Core Data error", reason.coreDataCode.map(String.init)), ("Decant", reason.decantVersion),
      ])
  }

  static func text(_ reason: RefusalReason) -> Data {
    var lines = [
      "Refused: \(reason.store)", "", reason.message,
    ]
    lines += reason.details.map { "  " + $0 }
    if !reason.advice.isEmpty { lines.append(reason.advice) }
    lines += [
      "", "reason    \(reason.reason.word)", "drop      \(reason.drop)", "job       \(reason.job)",
      "claimed   \(reason.claimed)", "time      \(reason.time)", "decant    \(reason.decantVersion)",
    ]
    if let code = reason.coreDataCode { lines.append("Core Data error \(code)") }
    if let family = reason.family { lines.append("family    \(family)") }
    lines.append("The unchanged original is in original/.")
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  static func text(_ report: MigrationReport) -> Data {
    var lines = [
      "\(report.store): \(report.sourceVersion) → \(report.targetVersion) (family \(report.family))", "",
    ]
    switch report.result {
    case .migrated:
      let time = DurationText.of(report.seconds)
      lines.append(report.isResumed ? "Migrated. The last run took \(time)." : "Migrated in \(time).")
    case .alreadyCurrent: lines.append("Has the target version already; delivered unchanged.")
    }
    if let associations = report.associations {
      lines.append("Associations are in \(PrintedName.of(associations)).")
    }
    for step in report.steps {
      lines += [
        "", "\(step.sourceVersion) → \(step.destinationVersion): \(step.passes.joined(separator: ", "))",
      ]
      for rows in step.entities {
        let pass = step.passes.count > 1 ? rows.pass.map { "\($0), " } ?? "" : ""
        lines.append("  \(pass)\(rows.entityMapping): " + words(rows))
      }
      for (table, rows) in step.joinRows.sorted(by: { $0.key < $1.key }) {
        lines.append("  \(table): \(count(rows, "link"))")
      }
      for (entity, rows) in step.inserted.sorted(by: { $0.key < $1.key }) {
        lines.append("  inserted by policies: \(count(rows, "object")) of \(entity)")
      }
      lines += step.findings.map { "  to check: \($0.description)" }
    }
    if let strays = report.strayRows {
      let tables = strays.tables.map { "\($0.table) \($0.rows)" }.joined(separator: ", ")
      let place =
        strays.store.map { "in \(PrintedName.of($0)); \(PrintedName.of(strays.list ?? "")) says why" }
        ?? "still in the store"
      lines += ["", "Rows of no entity: \(strays.rows) (\(tables)), \(place)."]
    }
    for aside in report.steps.compactMap(\.quarantine) {
      lines += [
        "",
        "In quarantine: \(count(aside.objects, "object")), in \(PrintedName.of(aside.store)); "
          + "\(PrintedName.of(aside.list)) says why.",
      ]
    }
    let losses = report.realLosses
    if !losses.isEmpty { lines += ["", "Lost:"] }
    for loss in losses {
      let name =
        (loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity)
        + (loss.version.map { " of version “\($0)”" } ?? "")
      let cause = loss.cause == .noPlace ? "" : " (\(loss.cause.words))"
      let rename = loss.probableRename.map { " (probably renamed to \($0))" } ?? ""
      lines.append(
        "  \(loss.kind.rawValue) \(name): "
          + "\(count(loss.values, loss.kind.unit))\(rename)\(cause)\(loss.accepted && loss.cause != .removed ? ", accepted" : "")"
      )
    }
    if !report.warnings.isEmpty { lines += ["", "Warnings:"] + report.warnings.map { "  " + $0 } }
    if !report.notes.isEmpty { lines += ["", "Notes:"] + report.notes.map { "  " + $0 } }
    let facts = [
      ("drop", report.drop), ("job", report.job), ("claimed", report.claimed),
      ("begun", report.begun), ("ended", report.ended), ("decant", report.decantVersion),
    ]
    lines.append("")
    lines += facts.compactMap { name, value in
      value.map { name + String(repeating: " ", count: 10 - name.count) + $0 }
    }
    if let files = report.source { lines += ["", "Dropped:"] + self.lines(files, report.store) }
    if let files = report.destination { lines += ["", "Delivered:"] + self.lines(files, report.store) }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func lines(_ files: MigrationReport.Files, _ store: String) -> [String] {
    func line(_ name: String, _ file: MigrationReport.File) -> String {
      "  \(name): \(count(file.bytes, "byte")), SHA-256 \(file.sha256)"
    }
    var lines = [line(store, .init(bytes: files.bytes, sha256: files.sha256))]
    if let wal = files.wal { lines.append(line(store + "-wal", wal)) }
    if let journal = files.journal { lines.append(line(store + "-journal", journal)) }
    if files.externalFiles > 0 {
      lines.append(
        "  external data: \(count(files.externalFiles, "file")), \(count(files.externalBytes, "byte"))")
    }
    return lines
  }

  private static func words(_ rows: MigrationReport.EntityRows) -> String {
    let rest = [
      (rows.shared, "shared"), (rows.withoutValue, "without value"), (rows.filtered, "filtered"),
      (rows.refused, "refused"), (rows.leftOut, "left out"),
    ].filter { $0.0 != 0 }.map { " + \($0.0) \($0.1)" }.joined()
    let further = rows.further == 0 ? "" : "; \(count(rows.further, "further object")) made"
    guard !rest.isEmpty || rows.made != rows.source else {
      return "\(count(rows.source, "object")) made\(further)"
    }
    return "\(count(rows.source, "object")) = \(rows.made) made\(rest)\(further)"
  }

  /// `1 row`, `2 rows`.
  private static func count(_ number: Int, _ singular: String) -> String {
    "\(number) \(singular)\(number == 1 ? "" : "s")"
  }
}
