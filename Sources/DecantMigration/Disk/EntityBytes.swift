internal import DecantReport
internal import DecantSQLite
internal import DecantStore

/// Estimates the bytes of each entity's rows, from a sample of each table.
struct EntityBytes {
  let store: SourceStore
  let layout: StoreLayout
  /// The size of the store's file.
  let fileBytes: Double

  /// The minimum bytes of a row: its entry in a page, its header, and its keys.
  private static let leastOfRow = 10.0
  /// The number of places in a table from which rows are sampled.
  private static let places = 500

  func byEntity() throws(MigrationFailure) -> [String: Double] {
    let names = Dictionary(layout.entityNumbers.map { ($0.value, $0.key) }) { one, _ in one }
    var weights: [String: Double] = [:]
    do throws(StoreError) {
      for table in layout.tables {
        for (number, bytes) in try byNumber(table) {
          if let name = names[number] { weights[name, default: 0] += bytes }
        }
      }
    } catch {
      throw MigrationFailure(error)
    }
    return weights
  }

  private func byNumber(_ table: StoreLayout.Table) throws(StoreError) -> [Int: Double] {
    var sampled: [Int: Double] = [:]
    var rows = 0.0
    let spread: KeySpread?
    let estimate: Int
    do throws(SQLiteError) {
      spread = try store.keySpread(of: table.name)
      estimate = try store.estimatedRows(in: table.name, isJoinTable: false)
    } catch {
      throw store.judged(error)
    }
    guard let spread else { return [:] }
    for row in try sample(of: table, spread) {
      guard let number = row[0].integer.flatMap({ Int(exactly: $0) }) else { continue }
      sampled[number, default: 0] += Self.leastOfRow + Double(row[1].integer ?? 0)
      rows += 1
    }
    // If the keys have wide gaps, the estimate may give more rows than fit into the file.
    let bytes = sampled.values.reduce(0, +)
    guard rows > 0, bytes > 0 else { return [:] }
    let factor = min(max(1, Double(estimate) / rows), max(1, fileBytes / bytes))
    return sampled.mapValues { $0 * factor }
  }

  /// Entity numbers and bytes of rows from many places of a table.
  ///
  /// The rows are read one by one: sorting or grouping would copy their values.
  private func sample(of table: StoreLayout.Table, _ spread: KeySpread) throws(StoreError) -> [[SQLiteValue]] {
    let lengths = table.columns.dropFirst(3).map { column in
      let name = quoted(column.name)
      // The length of a blob is known without reading it.
      return
        "CASE typeof(\(name)) WHEN 'blob' THEN length(\(name)) WHEN 'text' THEN length(CAST(\(name) AS BLOB)) "
        + "WHEN 'null' THEN 0 ELSE 8 END"
    }
    return try store.rows(
      "SELECT Z_ENT, \(lengths.isEmpty ? "0" : lengths.joined(separator: " + ")) FROM \(quoted(table.name)) "
        + "WHERE Z_PK IN \(spread.scattered(of: table.name, in: "main", places: Self.places))")
  }
}
