internal import DecantModel
internal import DecantStore
internal import Foundation

/// What an XML store tells about itself without a model.
struct XMLInspection {
  let path: String
  let bytes: Int
  let summary: XMLStoreSummary
  let oddities: [Oddity]

  /// Reads the file to its end.
  ///
  /// - Returns: `nil` for a file that isn't XML.
  init?(_ path: String) throws(CommandFailure) {
    do {
      guard let summary = try XMLStoreSummary.read(path) else { return nil }
      self.summary = summary
    } catch {
      throw CommandFailure(error)
    }
    self.path = path
    var status = stat()
    bytes = stat(path, &status) == 0 ? Int(status.st_size) : 0
    var oddities: [Oddity] = []
    if summary.metadata.versionHashes == nil { oddities.append(MetadataOddities.noVersionHashes) }
    if UUID(uuidString: summary.metadata.uuid) == nil {
      oddities.append(MetadataOddities.malformedUUID(summary.metadata.uuid))
    }
    self.oddities = oddities
  }

  /// The entities' names as the metadata spell them, where only one does; the file has them in upper case.
  private var rows: [(name: String, rows: Int)] {
    let names = Dictionary(grouping: summary.metadata.versionHashes?.keys.sorted() ?? []) { $0.uppercased() }
    return summary.objects.map { name, count in
      let spelt = names[name.uppercased()] ?? []
      return (spelt.count == 1 ? spelt[0] : name, count)
    }.sorted { NameOrder.ignoringCase($0.name, $1.name) }
  }

  /// - Parameter model: What is known about the model version, a line each.
  func lines(model: [String], width: Int) -> [String] {
    let metadata = summary.metadata
    var head = TextTable()
    head.add(["Store", path])
    head.add(["Kind", "XML store"])
    head.add(["Size", Quantity.bytes(bytes)])
    head.add(["Core Data", StoreInspection.frameworkText(metadata.framework)])
    head.add(["UUID", metadata.uuid])
    for (index, line) in model.enumerated() { head.add([index == 0 ? "Model" : "", line]) }
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { head.add(["Identifiers", identifiers.joined(separator: ", ")]) }
    head.add(["Highest key", Quantity.count(Int(clamping: summary.lastNumber))])
    var table = TextTable(rightAligned: [1])
    table.add(["Entity", "Objects"])
    for row in rows { table.add([row.name, Quantity.count(row.rows)]) }
    var lines = head.lines(width: width) + [""] + table.lines
    if !summary.references.isEmpty {
      var table = TextTable(rightAligned: [1], indent: 2)
      for name in summary.references.keys.sorted() {
        table.add([name, Quantity.count(summary.references[name] ?? 0)])
      }
      lines += ["", "References"] + table.lines
    }
    return lines + StoreInspection.metadataLines(metadata, width) + oddities.lines(width)
  }

  /// The keys that an SQLite store has too, and `references`.
  func json(model: JSON) -> JSON {
    let metadata = summary.metadata
    var json: [String: JSON] = [
      "path": .string(path), "bytes": .integer(bytes), "storeType": .string("XML"), "model": model,
      "uuid": .string(metadata.uuid), "versionIdentifiers": .strings(metadata.versionIdentifiers),
      "references": .object(summary.references.mapValues(JSON.integer)),
    ]
    json["framework"] = metadata.framework.map { JSON.integer($0.number) } ?? .null
    json["frameworkSystem"] = .optional(metadata.framework.map { FrameworkName.system(of: $0.number) })
    json["versionHashes"] =
      metadata.versionHashes.map { JSON.object($0.mapValues { .string($0.hexadecimal) }) } ?? .null
    json["entities"] = .array(
      rows.map { .object(["name": .string($0.name), "rows": .integer($0.rows)]) })
    json["applicationMetadata"] = .object(metadata.applicationEntries.mapValues(JSON.init))
    json["oddities"] = .array(oddities.map(\.json))
    json["warnings"] = .strings(oddities.filter { $0.severity != .note }.map(\.message))
    return .object(json)
  }
}
