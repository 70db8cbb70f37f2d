internal import DecantStore

/// About how many rows an entity has and how many bytes they hold, as a few rows of its table tell.
struct EntityWeight {
  var rows = 0.0
  var bytes = 0.0
  /// The bytes of each column.
  var columns: [String: Double] = [:]

  /// A row's header and keys, and its place in a page.
  static let bytesOfRow = 16.0

  /// The bytes of a value, as SQL; the length of a blob is known without reading it.
  static func length(of value: String) -> String {
    "CASE typeof(\(value)) WHEN 'null' THEN 0 WHEN 'blob' THEN length(\(value)) "
      + "WHEN 'text' THEN length(CAST(\(value) AS BLOB)) WHEN 'real' THEN 8 ELSE 4 END"
  }

  static func += (one: inout EntityWeight, other: EntityWeight) {
    one.rows += other.rows
    one.bytes += other.bytes
    one.columns.merge(other.columns, uniquingKeysWith: +)
  }

  static func *= (one: inout EntityWeight, share: Double) {
    one.rows *= share
    one.bytes *= share
    one.columns = one.columns.mapValues { $0 * share }
  }

  /// The weights of a store's entities.
  ///
  /// - Throws: `StoreError`.
  static func all(in store: SourceStore, _ layout: StoreLayout) throws(StoreError) -> [String: EntityWeight] {
    var weights: [String: EntityWeight] = [:]
    let names = Dictionary(layout.entityNumbers.map { ($0.value, $0.key) }) { one, _ in one }
    for table in layout.tables {
      let (spread, rows): (KeySpread?, Int)
      do {
        spread = try store.keySpread(of: table.name)
        rows = try store.estimatedRows(in: table.name, isJoinTable: false)
      } catch {
        throw store.judged(error)
      }
      guard let spread, rows > 0 else { continue }
      let sample = try sample(of: table, spread, in: store)
      let whole = sample.values.reduce(into: EntityWeight()) { $0 += $1 }
      guard whole.rows > 0 else { continue }
      for number in layout.entityNumbers(inFamilyOf: table.rootEntity) {
        guard let name = names[number] else { continue }
        var weight = whole
        // Of an entity that isn't among the few rows there may be fewer still.
        weight *= 1 / whole.rows
        weight = sample[number] ?? weight
        weight *= Double(rows) / whole.rows
        weights[name, default: EntityWeight()] += weight
      }
    }
    return weights
  }

  /// What a few rows hold, by entity number.
  private static func sample(
    of table: StoreLayout.Table, _ spread: KeySpread, in store: SourceStore
  ) throws(StoreError) -> [Int: EntityWeight] {
    // The three that every table begins with are the row's own.
    let columns = table.columns.dropFirst(3).map(\.name)
    let lengths = columns.map { ", " + length(of: quoted($0)) }
    // Row by row: sorted or grouped, the values would be copied themselves.
    let rows = try store.rows(
      "SELECT Z_ENT\(lengths.joined()) FROM \(quoted(table.name)) WHERE \(spread.sampled(of: table.name))")
    var weights: [Int: EntityWeight] = [:]
    for row in rows {
      guard let number = row[0].integer.flatMap({ Int(exactly: $0) }) else { continue }
      var weight = EntityWeight(rows: 1, bytes: bytesOfRow)
      for (column, length) in zip(columns, row.dropFirst()) {
        let bytes = Double(length.integer ?? 0)
        weight.bytes += bytes
        weight.columns[column] = bytes
      }
      weights[number, default: EntityWeight()] += weight
    }
    return weights
  }
}
