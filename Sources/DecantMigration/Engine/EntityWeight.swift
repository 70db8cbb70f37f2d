internal import DecantStore

/// About how many rows an entity has and how many bytes they hold, as a few rows of its table tell.
struct EntityWeight {
  var rows = 0.0
  var bytes = 0.0

  private static let places: UInt64 = 16
  private static let rowsOfPlace = 16
  /// A row's header, its keys and its entry in an index.
  private static let bytesOfRow = 24.0

  static func += (one: inout EntityWeight, other: EntityWeight) {
    one.rows += other.rows
    one.bytes += other.bytes
  }

  static func *= (one: inout EntityWeight, share: Double) {
    one.rows *= share
    one.bytes *= share
  }

  /// The weights of a store's entities.
  ///
  /// - Throws: `StoreError`.
  static func all(in store: SourceStore, _ layout: StoreLayout) throws(StoreError) -> [String: EntityWeight] {
    var weights: [String: EntityWeight] = [:]
    let names = Dictionary(layout.entityNumbers.map { ($0.value, $0.key) }) { one, _ in one }
    for table in layout.tables {
      let rows: Int
      do { rows = try store.rows(in: table.name) } catch { throw store.judged(error) }
      guard rows > 0 else { continue }
      let sample = try sample(of: table, in: store)
      let sampled = sample.values.reduce(0) { $0 + $1.rows }
      for (number, part) in sample {
        guard let name = names[number] else { continue }
        var weight = part
        weight *= Double(rows) / sampled
        weights[name, default: EntityWeight()] += weight
      }
    }
    return weights
  }

  /// What rows from places spread evenly over the keys hold, by entity number.
  private static func sample(
    of table: StoreLayout.Table, in store: SourceStore
  ) throws(StoreError) -> [Int: EntityWeight] {
    let name = quoted(table.name)
    guard let ends = try store.rows("SELECT min(Z_PK), max(Z_PK) FROM \(name)").first,
      let least = ends[0].integer, let greatest = ends[1].integer
    else { return [:] }
    let distance = UInt64(bitPattern: greatest &- least) / places
    let keys = (0..<places).map { place in
      let key = least &+ Int64(bitPattern: distance &* place)
      return "SELECT * FROM (SELECT Z_PK FROM \(name) WHERE Z_PK >= \(key) ORDER BY Z_PK LIMIT \(rowsOfPlace))"
    }
    // The length of a blob is known without reading it.
    let bytes = table.columns.map {
      let column = quoted($0.name)
      return "total(CASE typeof(\(column)) WHEN 'null' THEN 0 WHEN 'blob' THEN length(\(column)) "
        + "WHEN 'text' THEN length(CAST(\(column) AS BLOB)) ELSE 6 END)"
    }
    let rows = try store.rows(
      "SELECT Z_ENT, count(*), \(bytes.joined(separator: ", ")) FROM \(name) "
        + "WHERE Z_PK IN (\(keys.joined(separator: " UNION ALL "))) GROUP BY Z_ENT")
    var weights: [Int: EntityWeight] = [:]
    for row in rows {
      guard let number = row[0].integer.flatMap({ Int(exactly: $0) }), let rows = row[1].integer else {
        continue
      }
      var weight = EntityWeight(rows: Double(rows), bytes: Double(rows) * bytesOfRow)
      for case .real(let bytes) in row.dropFirst(2) { weight.bytes += bytes }
      weights[number] = weight
    }
    return weights
  }
}
