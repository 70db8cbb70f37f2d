import DecantSQLite
import DecantStore
import Foundation
import KeyedArchive

/// Compares two stores of one version byte by byte: all rows with the types of values, metadata, and the file header.
///
/// It reads the files without models or layouts.
struct ExactComparison {
  let source: SourceStore
  let result: SourceStore
  /// The differences, such as `Z_METADATA.MyKey` or `ZNOTE: 1 of 5 rows`.
  private(set) var differences: [String] = []
  private(set) var tables = 0
  private(set) var rows = 0
  private(set) var values = 0

  init(_ source: SourceStore, _ result: SourceStore) throws {
    self.source = source
    self.result = result
    try compareTables()
    compareMetadata()
    try compareHeaders()
  }

  private static func tables(of store: SourceStore) -> Set<String> {
    Set(store.schema.tables.keys.filter { !$0.hasPrefix("sqlite_") })
  }

  private mutating func compareTables() throws {
    let (wanted, found) = (Self.tables(of: source), Self.tables(of: result))
    differences += wanted.subtracting(found).sorted().map { "no table \($0)" }
    differences += found.subtracting(wanted).sorted().map { "surplus table \($0)" }
    for table in wanted.intersection(found).sorted() {
      tables += 1
      let columns = source.schema.tables[table, default: []].sorted()
      let others = result.schema.tables[table, default: []].sorted()
      guard columns == others else {
        differences.append("\(table): columns \(Set(columns).symmetricDifference(others).sorted())")
        continue
      }
      let names = columns.filter { "\(table).\($0)" != "Z_METADATA.Z_PLIST" }
      let (before, after) = (try read(table, names, source), try read(table, names, result))
      rows += before.count
      values += before.count * names.count
      guard before != after else { continue }
      differences.append("\(table): \(Self.difference(before, after, names))")
    }
  }

  /// The columns that differ, with the number of rows.
  ///
  /// If the rows have keys, rows with the same key are compared.
  private static func difference(
    _ before: [[SQLiteValue]], _ after: [[SQLiteValue]], _ names: [String]
  ) -> String {
    guard let key = names.firstIndex(where: { $0 == "Z_PK" || $0 == "Z_ENT" && !names.contains("Z_PK") }) else {
      return "\(Set(before).symmetricDifference(after).count) rows"
    }
    var columns: [String: Int] = [:]
    let others = Dictionary(after.map { ($0[key], $0) }) { first, _ in first }
    for row in before {
      let other = others[row[key]] ?? []
      guard other.count == row.count else {
        columns["missing rows", default: 0] += 1
        continue
      }
      for (index, name) in names.enumerated() where row[index] != other[index] {
        columns[name, default: 0] += 1
      }
    }
    if after.count != before.count { columns["rows", default: 0] += after.count - before.count }
    return columns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The rows, sorted by all their values, because the rows of join tables have no other order.
  private func read(_ table: String, _ columns: [String], _ store: SourceStore) throws -> [[SQLiteValue]] {
    let list = columns.map(quoted).joined(separator: ", ")
    return try store.rows("SELECT \(list) FROM \(quoted(table)) NOT INDEXED ORDER BY \(list)")
  }

  private mutating func compareMetadata() {
    let (before, after) = (source.metadata.entries, result.metadata.entries)
    for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
      differences.append("Z_METADATA.\(key)")
    }
    values += before.count
  }

  /// Compares the header fields of docs/formats/core-data-sqlite.md 10.
  private mutating func compareHeaders() throws {
    let (before, after) = (try header(source), try header(result))
    for (name, place, length) in [
      ("page size", 16, 2), ("journal mode", 18, 2), ("schema format", 44, 4), ("encoding", 56, 4),
      ("user_version", 60, 4), ("incremental vacuum", 64, 4), ("application_id", 68, 4),
    ] where before[place..<place + length] != after[place..<place + length] {
      differences.append("header: \(name)")
    }
    // The field holds 0, or a page number that depends on the file's size. So only zero and not zero are compared.
    if before[52..<56].allSatisfy({ $0 == 0 }) != after[52..<56].allSatisfy({ $0 == 0 }) {
      differences.append("header: auto_vacuum")
    }
  }

  private func header(_ store: SourceStore) throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: store.path))
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: 100) ?? Data())
  }
}
