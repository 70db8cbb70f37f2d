internal import DecantSQLite
internal import DecantStore

/// Estimates an entity's number of rows and the bytes in their columns, from a sample of its table.
struct EntityWeight {
  var rows = 0.0
  /// The bytes of each column by name, without the first three columns that every table has.
  var columns: [String: Double] = [:]
  /// Bytes that belong to no known column.
  var others = 0.0

  /// The bytes of all columns.
  var bytes: Double { columns.values.reduce(others, +) }

  /// SQL for the length of a value in bytes; the length of a blob is known without reading it.
  static func length(of value: String) -> String {
    "CASE typeof(\(value)) WHEN 'null' THEN 0 WHEN 'blob' THEN length(\(value)) "
      + "WHEN 'text' THEN length(CAST(\(value) AS BLOB)) WHEN 'real' THEN 8 ELSE "
      + "CASE WHEN \(value) BETWEEN -128 AND 127 THEN 1 WHEN \(value) BETWEEN -32768 AND 32767 THEN 2 "
      + "WHEN \(value) BETWEEN -8388608 AND 8388607 THEN 3 WHEN \(value) BETWEEN -2147483648 AND 2147483647 THEN 4 "
      + "ELSE 8 END END"
  }

  static func += (one: inout EntityWeight, other: EntityWeight) {
    one.rows += other.rows
    one.others += other.others
    one.columns.merge(other.columns, uniquingKeysWith: +)
  }

  static func *= (one: inout EntityWeight, share: Double) {
    one.rows *= share
    one.others *= share
    one.columns = one.columns.mapValues { $0 * share }
  }

  /// The weights of a store's entities.
  ///
  /// - Parameter limit: An upper bound for a table's bytes. Keys with wide gaps seem to be more rows than fit into the
  ///   file.
  /// - Throws: `StoreError`.
  static func all(
    in store: SourceStore, _ layout: StoreLayout, limit: Double
  ) throws(StoreError) -> [String: EntityWeight] {
    var weights: [String: EntityWeight] = [:]
    let names = Dictionary(layout.entityNumbers.map { ($0.value, $0.key) }) { one, _ in one }
    for table in layout.tables {
      let (spread, estimate): (KeySpread?, Int)
      do {
        spread = try store.keySpread(of: table.name)
        estimate = try store.estimatedRows(in: table.name, isJoinTable: false)
      } catch {
        throw store.judged(error)
      }
      guard let spread, estimate > 0 else { continue }
      let sample = try sample(of: table, spread, in: store)
      let whole = sample.values.reduce(into: EntityWeight()) { $0 += $1 }
      guard whole.rows > 0 else { continue }
      let ofRow = whole.bytes / whole.rows + StoreWeight.leastOfRow
      let rows = min(Double(estimate), max(whole.rows, limit / ofRow))
      for number in layout.entityNumbers(inFamilyOf: table.rootEntity) {
        guard let name = names[number] else { continue }
        var weight = whole
        // An entity that isn't in the sample may have fewer rows still.
        weight *= 1 / whole.rows
        weight = sample[number] ?? weight
        weight *= rows / whole.rows
        weights[name, default: EntityWeight()] += weight
      }
    }
    return weights
  }

  /// The bytes in a sample of rows, by entity number.
  private static func sample(
    of table: StoreLayout.Table, _ spread: KeySpread, in store: SourceStore
  ) throws(StoreError) -> [Int: EntityWeight] {
    let columns = table.columns.dropFirst(3).map(\.name)
    let lengths = columns.map { ", " + length(of: quoted($0)) }
    // The expressions use the same sample. The rows are read one by one: sorting or grouping would copy their values.
    let rows = try store.rows(
      "SELECT Z_ENT\(lengths.joined()) FROM \(quoted(table.name)) "
        + "WHERE Z_PK IN \(spread.scattered(of: table.name, in: "main", places: RowSampling.places))")
    var weights: [Int: EntityWeight] = [:]
    for row in rows {
      guard let number = row[0].integer.flatMap({ Int(exactly: $0) }) else { continue }
      var weight = EntityWeight(rows: 1)
      for (column, length) in zip(columns, row.dropFirst()) {
        weight.columns[column] = Double(length.integer ?? 0)
      }
      weights[number, default: EntityWeight()] += weight
    }
    return weights
  }
}
