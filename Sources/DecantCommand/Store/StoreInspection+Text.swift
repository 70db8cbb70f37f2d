internal import DecantConsole
internal import DecantModel
internal import DecantStore
internal import Foundation

extension StoreInspection {
  /// The output of `decant inspect`.
  ///
  /// - Parameter isWhole: Whether to show long values of the metadata in full.
  func lines(model: [String], width: Int, isWhole: Bool = false) -> [String] {
    let metadata = store.metadata
    var head = TextTable()
    head.add(["Store", path])
    head.add([
      "Size", Quantity.bytes(bytes) + (logBytes > 0 ? ", and \(Quantity.bytes(logBytes)) in its -wal" : ""),
    ])
    head.add(["Core Data", frameworkText(metadata.framework)])
    head.add(["File", facts.text])
    head.add(["Journal", journalText])
    head.add(["UUID", metadata.uuid])
    for (index, line) in model.enumerated() { head.add([index == 0 ? "Model" : "", line]) }
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { head.add(["Identifiers", identifiers.joined(separator: ", ")]) }
    head.add(["Model cache", cache.text])
    head.add(["External data", externalData.text])
    head.add(["History", history?.text ?? "not kept"])
    if !cloudKitTables.isEmpty {
      head.add(["CloudKit", "mirrored, \(counted(cloudKitTables.count, "table"))"])
    }
    var lines = head.lines(width: width) + [""] + entityLines
    lines += section("Join tables", joinTables)
    lines += section("Persistent history", historyTables)
    lines += ApplicationMetadata.lines(applicationMetadata, cutAt: isWhole ? nil : width)
    lines += paragraphs("Prevents a migration", .refusal, width)
    lines += paragraphs("Warnings", .warning, width)
    return lines + paragraphs("Notes", .note, width)
  }

  private func frameworkText(_ framework: FrameworkVersion?) -> String {
    guard let framework else { return "framework version unknown" }
    return "framework version \(framework.number) (\(FrameworkName.system(of: framework.number)))"
  }

  private var journalText: String {
    guard facts.usesWriteAheadLog else { return "rollback journal" }
    return "write-ahead log"
      + (logBytes > 0 ? ", with changes that are not in the file yet" : ", with nothing pending")
  }

  private var entityLines: [String] {
    var table = TextTable(rightAligned: [1, 2, 3])
    table.add(["Entity", "Number", "Rows", "Highest key"])
    for entity in entities {
      table.add(
        [
          String(repeating: "  ", count: min(entity.depth, 10)) + entity.name, String(entity.number),
          grouped(entity.rows), entity.highestKey.map { grouped($0) } ?? "",
        ] + (entity.isAbstract == true ? ["abstract"] : []))
    }
    return table.lines
  }

  private func section(_ title: String, _ counts: [String: Int]) -> [String] {
    guard !counts.isEmpty else { return [] }
    var table = TextTable(rightAligned: [1], indent: 2)
    for name in counts.keys.sorted(by: Quantity.inNumericOrder) {
      table.add([name, grouped(counts[name] ?? 0)])
    }
    return ["", title] + table.lines
  }

  private func paragraphs(_ title: String, _ severity: Oddity.Severity, _ width: Int) -> [String] {
    let sentences = oddities.filter { $0.severity == severity }.map(\.message)
    guard !sentences.isEmpty else { return [] }
    return ["", title]
      + sentences.map { "  " + TextWrap.wrap(PlainText.of($0), width: width, indent: 4, first: 2) }
  }
}
