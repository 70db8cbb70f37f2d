internal import DecantModel
internal import DecantStore
internal import Foundation

extension StoreInspection {
  /// What `decant inspect` prints.
  ///
  /// - Parameter model: What is known about the model version, a line each.
  func lines(model: [String]) -> [String] {
    let metadata = store.metadata
    var head = TextTable()
    head.add(["Store", path])
    head.add([
      "Size", Quantity.bytes(bytes) + (logBytes > 0 ? ", and \(Quantity.bytes(logBytes)) in its -wal" : ""),
    ])
    head.add([
      "Core Data", metadata.framework.map { "framework version \($0.number)" } ?? "framework version unknown",
    ])
    head.add(["Journal", store.usesWriteAheadLog ? "write-ahead log" : "rollback journal"])
    head.add(["UUID", metadata.uuid])
    for (index, line) in model.enumerated() { head.add([index == 0 ? "Model" : "", line]) }
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { head.add(["Identifiers", identifiers.joined(separator: ", ")]) }
    head.add(["External data", externalDataText])
    var lines = head.lines + [""] + entityLines
    lines += section("Join tables", joinTables)
    lines += section("Persistent history", historyTables)
    let entries = applicationMetadata
    if !entries.isEmpty {
      var table = TextTable(indent: 2)
      for key in entries.keys.sorted() { table.add([key, entries[key]?.summary ?? ""]) }
      lines += ["", "Metadata of the application"] + table.lines
    }
    if !warnings.isEmpty {
      lines +=
        ["", "Warnings"]
        + warnings.map { "  " + TextWrap.wrap(PlainText.of($0), width: 80, indent: 2, first: 2) }
    }
    return lines
  }

  private var externalDataText: String {
    if externalData.references == 0 { return externalData.isThere ? "a folder, but no value uses it" : "none" }
    var text = Quantity.count(externalData.references, "value") + " in files"
    if !externalData.isThere { return text + "; THE FOLDER IS MISSING" }
    if externalData.missingCount > 0 { text += "; \(Quantity.count(externalData.missingCount)) MISSING" }
    if externalData.unusedCount > 0 { text += "; \(Quantity.count(externalData.unusedCount, "file")) unused" }
    return text
  }

  private var entityLines: [String] {
    var table = TextTable(rightAligned: [1, 2, 3])
    table.add(["Entity", "Number", "Rows", "Highest key"])
    for entity in entities {
      table.add([
        String(repeating: "  ", count: min(entity.depth, 10)) + entity.name, String(entity.number),
        Quantity.count(entity.rows), entity.highestKey.map { Quantity.count($0) } ?? "",
      ])
    }
    return table.lines
  }

  private func section(_ title: String, _ counts: [String: Int]) -> [String] {
    guard !counts.isEmpty else { return [] }
    var table = TextTable(rightAligned: [1], indent: 2)
    for name in counts.keys.sorted(by: Quantity.inNumericOrder) {
      table.add([name, Quantity.count(counts[name] ?? 0)])
    }
    return ["", title] + table.lines
  }
}
