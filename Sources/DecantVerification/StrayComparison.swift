internal import DecantCatalogue
internal import DecantEngine
internal import DecantMigration
internal import DecantSQLite
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// Handles rows of the source that belong to no entity.
///
/// The two stores are compared without these rows. The rows are compared with the quarantined rows, or with the
/// destination's stray rows if the store was delivered unchanged.
struct StrayComparison {
  /// The stores that are compared.
  let source: URL
  let destination: URL

  /// The expected quarantine of the source's stray rows.
  private let expected: StrayQuarantine
  private let layout: StoreLayout
  /// The quarantine files with which the expected rows are compared.
  ///
  /// They are beside the destination. If the destination is the unchanged source, they are made from its stray rows.
  private let kept: QuarantineFiles
  private let isUnchangedSource: Bool
  /// The external files of the source.
  private let files: ExternalData
  private let scratch: URL

  /// `nil` if neither the family's setting nor existing files quarantine such rows, if the source has no such rows, or
  /// if the source is an XML store.
  ///
  /// - Parameter isUnchangedSource: Whether the destination may be the unchanged source.
  /// - Throws: `StoreError`, `LayoutError`.
  init?(source: URL, destination: URL, pair: CataloguePair, isUnchangedSource: Bool, scratch: URL) throws {
    let beside = QuarantineFiles(strayRowsBeside: destination)
    guard pair.family.configuration.strayRows == .quarantine || beside.isThere,
      let found = try StoreWithout(
        source, of: pair.source, in: scratch.appendingPathComponent("without/source"))
    else { return nil }
    let other =
      isUnchangedSource
      ? try StoreWithout(
        destination, of: pair.source, in: scratch.appendingPathComponent("without/destination"))
      : nil
    self.source = found.url
    self.destination = other?.url ?? destination
    expected = found.strays
    layout = found.strays.rows.layout
    kept = other?.strays.files ?? beside
    self.isUnchangedSource = other != nil
    files = ExternalData(store: source)
    self.scratch = scratch
  }

  /// A store's private copy without its stray rows; the external files stay where they are.
  private struct StoreWithout {
    let url: URL
    let strays: StrayQuarantine

    init?(_ store: URL, of version: FamilyVersion, in folder: URL) throws {
      let opened = try SourceStore.open(store.path, scratch: folder.appendingPathComponent("copy").path)
      guard opened.kind == .sqlite else { return nil }
      let layout = try opened.layout(for: version.model, version: version.name, acceptsCloudKit: true)
      guard let rows = try StoreCounts(store: opened, layout: layout).strayRows() else { return nil }
      url = folder.appendingPathComponent(store.lastPathComponent)
      strays = try StrayQuarantine(
        rows, of: opened, files: QuarantineFiles(strayRowsIn: folder.appendingPathComponent("aside")),
        copy: url.path, observer: nil)
    }
  }

  /// - Throws: `StoreError`, `SQLiteError`.
  func complete(_ report: inout Verification.Report) throws {
    var findings = Findings()
    for found in expected.rows.tables {
      findings.expect(.strayRows, entity: found.table.name, count: found.rows)
    }
    if !isUnchangedSource {
      for loss in expected.losses {
        findings.expect(
          .targetGone, entity: loss.property.entity, property: loss.property.name, count: loss.count)
      }
    }
    if !kept.isThere {
      findings.add(.missingQuarantine, name: kept.storeName)
    } else {
      if !FileManager.default.fileExists(atPath: kept.list) {
        findings.add(.missingQuarantine, name: kept.listName)
      } else if let line = try StrayListComparison.firstDifference(expected.files.list, kept.list) {
        findings.add(.changedStrayList, name: kept.listName, examples: ["line \(line)"])
      }
      try compare(&findings)
    }
    report.expected += findings.expected
    report.differences += findings.differences
    report.isEqual = report.differences.isEmpty
  }

  private func compare(_ findings: inout Findings) throws {
    let store = try SourceStore(kept.store, scratch: scratch.appendingPathComponent("without/kept").path)
    let database = try SQLiteDatabase(expected.files.store, mode: .immutable)
    try database.attachImmutable(store.readPath, as: "kept")
    for table in layout.tables.map(\.name) + layout.joinTables.map(\.name) {
      let columns = try database.rows("SELECT name FROM pragma_table_info(?1, 'main')", [.text(table)])
        .compactMap { row in if case .text(let name)? = row.first { name } else { nil } }
      let present = Set((store.schema.tables[table] ?? []).map { $0.uppercased() })
      let isComparable = columns.allSatisfy { present.contains($0.uppercased()) }
      let own = Self.rows(of: "main.\(quoted(table))", columns)
      guard isComparable else {
        try add(.lostStrayRow, own, table, database, &findings)
        continue
      }
      let kept = Self.rows(of: "kept.\(quoted(table))", columns)
      try add(.lostStrayRow, "\(own) EXCEPT \(kept)", table, database, &findings)
      try add(.surplusStrayRow, "\(kept) EXCEPT \(own)", table, database, &findings)
    }
    guard !isUnchangedSource else { return }
    try compareFiles(&findings)
  }

  /// The largest number of types that one `printf` call gets; SQLite limits the arguments of a call.
  private static let mostArguments = 90

  /// The rows of a table with the types of their values, numbered among rows that are the same.
  ///
  /// EXCEPT alone treats 1 and 1.0 as equal, and leaves out duplicates.
  private static func rows(of table: String, _ columns: [String]) -> String {
    let types = stride(from: 0, to: columns.count, by: mostArguments).map { start in
      let part = columns[start..<min(start + mostArguments, columns.count)]
      return "printf('\(part.map { _ in "%s" }.joined(separator: " "))', "
        + part.map { "typeof(\(quoted($0)))" }.joined(separator: ", ") + ")"
    }
    // The columns of the kept store may have another collation, so all values are compared as `BINARY`.
    let values = columns.map { "\(quoted($0)) COLLATE BINARY" }
    let list = zip(values, columns).map { "\($0) AS \(quoted($1))" } + types
    return "SELECT \(list.joined(separator: ", ")), "
      + "row_number() OVER (PARTITION BY \((values + types).joined(separator: ", "))) FROM \(table)"
  }

  private func add(
    _ kind: Verification.Difference.Kind, _ rows: String, _ table: String, _ database: SQLiteDatabase,
    _ findings: inout Findings
  ) throws(SQLiteError) {
    let count = try database.integer("SELECT count(*) FROM (\(rows))")
    guard count > 0 else { return }
    // A join table has no `Z_PK`, so the column of its first end is used.
    let key = layout.joinTables.first { $0.name == table }?.first.column ?? "Z_PK"
    let examples = try database.rows("SELECT \(quoted(key)) FROM (\(rows)) ORDER BY 1 LIMIT 5").compactMap {
      $0.first?.integer.map(String.init)
    }
    findings.add(kind, name: table, count: count, examples: examples)
  }

  /// Compares the external files of the stray rows.
  ///
  /// Files that the source lacks aren't compared.
  private func compareFiles(_ findings: inout Findings) throws {
    let beside = ExternalData(store: URL(fileURLWithPath: kept.store))
    let (own, others) = (files.readableFiles, beside.readableFiles)
    var missing = 0
    try expected.files.forEachExternalName(layout) { name in
      let (file, copy) = ("\(own)/\(name)", "\(others)/\(name)")
      guard FileManager.default.fileExists(atPath: file),
        !FileManager.default.contentsEqual(atPath: file, andPath: copy)
      else { return }
      missing += 1
    }
    findings.add(.missingFile, name: kept.storeName, count: missing)
  }
}
