internal import DecantConsole
internal import DecantModel
internal import DecantStore
internal import DecantXMLStore
internal import Foundation
internal import KeyedArchive

/// The facts about an XML store, without its model.
struct XMLInspection {
  private let path: String
  private let bytes: Int
  private let summary: XMLStoreSummary
  private var metadata: StoreMetadata { summary.metadata }

  /// Reads a file; `nil` if it isn't XML.
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
  }

  private var hasHashes: Bool { metadata.versionHashes != nil }

  private var oddities: [Oddity] {
    let note = Oddity(
      .note, .xmlStore,
      "Names are shown as in the file; their upper and lower case may differ in the model."
        + (hasHashes
          ? " A migration makes an SQLite store, which the application must open as NSSQLiteStoreType."
          : ""))
    guard !hasHashes else { return [note] }
    let refusal =
      metadata.entries[StoreMetadata.Key.hashes] == nil
      ? "There are no version hashes, as in stores of Mac OS X 10.4, so the model version can't be recognised; open "
        + "and save the store once with an application built for Mac OS X 10.5 or later."
      : "The metadata have no valid version hashes, so the model version can't be recognised; restore the store from a "
        + "backup."
    return [Oddity(.refusal, .noVersionHashes, refusal), note]
  }

  private var applicationMetadata: [String: PropertyList] {
    metadata.entries.filter { !$0.key.hasPrefix("NSStore") && !$0.key.hasPrefix("NSPersistence") }
  }

  /// - Parameter isWhole: Whether to show long values of the metadata in full.
  func lines(model: [String], width: Int, isWhole: Bool = false) -> [String] {
    var head = TextTable()
    head.add(["Store", path])
    head.add(["Kind", "XML store (NSXMLStoreType)"])
    head.add(["Size", Quantity.bytes(bytes)])
    head.add([
      "Core Data",
      metadata.framework.map { "framework version \($0.number) (\(FrameworkName.system(of: $0.number)))" }
        ?? "framework version unknown",
    ])
    head.add(["UUID", metadata.uuid])
    for (index, line) in model.enumerated() { head.add([index == 0 ? "Model" : "", line]) }
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { head.add(["Identifiers", identifiers.joined(separator: ", ")]) }
    head.add(["Last number", grouped(Int(clamping: summary.lastNumber))])
    var lines = head.lines(width: width) + [""] + table("Entity", "Objects", summary.objects)
    if !summary.references.isEmpty {
      lines += [""] + table("Relationship", "References", summary.references)
    }
    lines += ApplicationMetadata.lines(applicationMetadata, cutAt: isWhole ? nil : width)
    for (title, severity) in [("Prevents a migration", Oddity.Severity.refusal), ("Notes", .note)] {
      let sentences = oddities.filter { $0.severity == severity }.map(\.message)
      guard !sentences.isEmpty else { continue }
      lines += ["", title] + sentences.map { "  " + TextWrap.wrap($0, width: width, indent: 4, first: 2) }
    }
    return lines
  }

  private func table(_ name: String, _ number: String, _ counts: [String: Int]) -> [String] {
    var table = TextTable(rightAligned: [1])
    table.add([name, number])
    for key in counts.keys.sorted() { table.add([key, grouped(counts[key] ?? 0)]) }
    return table.lines
  }

  func json(model: JSON) -> JSON {
    .object([
      "path": .string(path), "bytes": .integer(bytes), "storeType": .string("XML"),
      "framework": metadata.framework.map { .integer($0.number) } ?? .null, "uuid": .string(metadata.uuid),
      "versionHashes": metadata.versionHashes.map { .object($0.mapValues { .string($0.hexadecimal) }) }
        ?? .null,
      "versionIdentifiers": .strings(metadata.versionIdentifiers), "model": model,
      "lastNumber": .integer(Int(clamping: summary.lastNumber)),
      "entities": .array(
        summary.objects.sorted { $0.key < $1.key }.map {
          .object(["name": .string($0.key), "rows": .integer($0.value)])
        }),
      "references": .object(summary.references.mapValues(JSON.integer)),
      "applicationMetadata": .object(applicationMetadata.mapValues(JSON.init)),
      "frameworkSystem": .optional(metadata.framework.map { FrameworkName.system(of: $0.number) }),
      "oddities": .array(oddities.map(StoreInspection.json)),
      "warnings": .strings(oddities.filter { $0.severity != .note }.map(\.message)),
    ])
  }

  func version(in catalogue: String) throws(CommandFailure) -> StoreVersion? {
    guard hasHashes else { return nil }
    let scratch = try ScratchPlace.forCommand()
    defer { scratch.remove() }
    let store: SourceStore
    do { store = try SourceStore.open(path, scratch: scratch.path) } catch { throw CommandFailure(error) }
    return try StoreVersion(store, catalogue: catalogue)
  }
}
