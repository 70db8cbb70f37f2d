internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Checks the files of a table's external values: each must be beside the destination, with the source's bytes.
///
/// A file that the source lacks isn't compared.
struct ExternalFileCheck {
  private let stores: StorePair
  private let table: StoreLayout.Table

  init(_ stores: StorePair, table: StoreLayout.Table) {
    self.stores = stores
    self.table = table
  }

  /// - Throws: `SQLiteError`; `StoreError.unreadable` for a file that can't be read.
  func run(_ findings: inout Findings) throws {
    for column in table.columns {
      guard case .attribute(let property) = column.role, stores.has(column.name, in: table.name),
        stores.lineage.destination.attribute(property.name, of: property.entity)?
          .allowsExternalBinaryDataStorage
          == true
      else { continue }
      try compare(column.name, property, &findings)
    }
  }

  private func compare(
    _ column: String, _ property: StoreLayout.Property, _ findings: inout Findings
  ) throws {
    let statement = try stores.database.prepare(
      "SELECT Z_PK, CAST(substr(\(quoted(column)), 2, 36) AS TEXT) FROM main.\(quoted(table.name)) "
        + "WHERE typeof(\(quoted(column))) = 'blob' AND substr(\(quoted(column)), 1, 1) = x'02' ORDER BY Z_PK")
    var missing: (count: Int, keys: [String]) = (0, [])
    var changed = missing
    var missingInSource = 0
    while try statement.step() {
      let name = statement.string(1)
      // `RowCheck` compares the value with its marker, and so reports a malformed file name.
      guard UUID(uuidString: name) != nil else { continue }
      findings.compared.files += 1
      let key = String(statement.integer(0))
      switch try Self.compare("\(stores.sourceFiles)/\(name)", "\(stores.destinationFiles)/\(name)") {
      case .same: break
      case .missingInSource: missingInSource += 1
      case .missing:
        missing.count += 1
        if missing.keys.count < 5 { missing.keys.append(key) }
      case .changed:
        changed.count += 1
        if changed.keys.count < 5 { changed.keys.append(key) }
      }
    }
    findings.add(
      .missingFile, entity: property.entity, property: property.name, count: missing.count,
      examples: missing.keys)
    findings.add(
      .changedFile, entity: property.entity, property: property.name, count: changed.count,
      examples: changed.keys)
    findings.expect(.missingFile, entity: property.entity, property: property.name, count: missingInSource)
  }

  private enum Result {
    case same, missing, changed, missingInSource
  }

  private static func compare(_ source: String, _ destination: String) throws(StoreError) -> Result {
    let after = try ComparedFile(destination)
    guard let before = try ComparedFile(source) else { return after == nil ? .missingInSource : .same }
    guard let after else { return .missing }
    return try ComparedFile.areSame(before, after) ? .same : .changed
  }
}
