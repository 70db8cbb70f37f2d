internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport

/// The losses of a plan or report as text for people.
extension ReportText {
  static func losses(_ losses: [MigrationReport.Loss]) -> [String] {
    let real = losses.filter { $0.values > 0 }
    let empty = losses.filter { $0.cause == .noPlace && $0.values == 0 }
    var lines = section(
      "Lost, because the new version has no place for it",
      real.filter { $0.cause == .noPlace || $0.cause == .fewerTargets }, showsKind: true)
    if real.contains(where: { $0.probableRename != nil }) {
      lines.append(
        paragraph(
          "If these are renames, state them in “renames” of the family's family.json5, and migrate again."))
    }
    lines += section(
      "Lost, because their external files are missing", real.filter { $0.cause == .missingFile },
      showsKind: true)
    lines += section(
      "Only the order is lost, because the relationship isn't ordered now, or uniqueBy makes its objects",
      real.filter { $0.cause == .order }, showsKind: true)
    lines += section(
      "Left behind, because no entity mapping takes it",
      real.filter { $0.cause == .noEntityMapping || $0.cause == .filters })
    lines += section("Removed by entity mappings", real.filter { $0.cause == .removed })
    let unread = real.filter { $0.cause == .unread }
    lines += section(
      "Left behind, because no entity mapping that takes the objects reads it", unread, showsKind: true)
    lines += section(
      "Left behind, because another object with the same value of uniqueBy gives the value",
      real.filter { $0.cause == .shared }, showsKind: true)
    lines += section(
      "Left behind, because the mapping model can't parse the text and sets nil",
      real.filter { $0.cause == .unparsed }, showsKind: true)
    lines += section(
      "Left behind, because no relationship that is filled from this relationship connects owner and target",
      real.filter { $0.cause == .unlinked },
      showsKind: true)
    if unread.contains(where: { !$0.accepted }) {
      lines.append(
        paragraph(
          "Give each a place in an entity mapping, or name it in “acceptedLosses” of family.json5 if the loss is intended."
        ))
    }
    if !empty.isEmpty {
      lines += ["", "Without a place in the new version, but without a value in this store"]
      lines.append(paragraph(empty.map { PlainText.of(name($0)) }.joined(separator: ", ")))
    }
    return lines
  }

  private static func section(
    _ title: String, _ losses: [MigrationReport.Loss], showsKind: Bool = false
  ) -> [String] {
    guard !losses.isEmpty else { return [] }
    var table = TextTable(rightAligned: [showsKind ? 2 : 1], indent: 2)
    for loss in losses {
      table.add(
        (showsKind ? [loss.kind.rawValue] : [])
          + [name(loss), grouped(loss.values), unit(of: loss) + remarks(loss)])
    }
    var lines = ["", title]
    for (line, loss) in zip(table.lines, losses) {
      lines.append(line)
      if let rename = loss.probableRename {
        lines.append("      probably renamed to “\(PlainText.of(rename))”")
      }
    }
    return lines
  }

  private static func unit(of loss: MigrationReport.Loss) -> String {
    loss.values == 1 ? loss.kind.unit : loss.kind.unit + "s"
  }

  private static func remarks(_ loss: MigrationReport.Loss) -> String {
    let cause =
      switch loss.cause {
      case .fewerTargets: ", more than the relationship can hold now"
      case .filters: " that no filter or uniqueBy takes"
      case .noPlace, .order, .missingFile, .noEntityMapping, .removed, .unread, .shared, .unparsed, .unlinked:
        ""
      }
    return cause + (loss.accepted && loss.cause != .removed ? " (accepted)" : "")
  }

  private static func name(_ loss: MigrationReport.Loss) -> String {
    (loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity)
      + (loss.version.map { " of “\($0)”" } ?? "")
  }
}
