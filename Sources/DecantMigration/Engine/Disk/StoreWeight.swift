internal import DecantStore

/// About how many bytes a store of a layout takes: rows, indexes and join tables.
struct StoreWeight {
  /// Rows and columns by the name of the entity.
  var entities: [String: EntityWeight] = [:]
  /// The pairs of join tables by the table's name.
  var pairs: [String: Double] = [:]

  /// Of a row: its place in a page, the lengths that it begins with, and its keys.
  static let leastOfRow = 10.0
  /// Of a pair in a join table: the row, and an entry in each of two indexes.
  static let bytesOfPair = 46.0
  /// Of a place in it, where an end is ordered.
  private static let bytesOfPlace = 6.0
  /// Of an entry in an index, beside what it is of: its place in a page, its lengths, and the row's key.
  private static let bytesOfEntry = 8.0
  /// What stays free at the end of pages, and the pages above them.
  private static let slack = 1.03

  /// What it takes in all, and what the largest index of it takes.
  func bytes(in layout: StoreLayout) -> (whole: Double, largestIndex: Double) {
    var whole = 0.0
    var largest = 0.0
    var tables: [String: EntityWeight] = [:]
    for table in layout.tables {
      var weight = EntityWeight()
      for entity in layout.model.family(of: table.rootEntity) { weight += entities[entity.name] ?? .init() }
      tables[table.name] = weight
      // Every column has a byte that says what is in it.
      whole += weight.rows * (Self.leastOfRow + Double(table.columns.count)) + weight.bytes
    }
    for index in layout.indexColumns() {
      guard let weight = tables[index.table], weight.rows > 0 else { continue }
      let keys = index.columns.reduce(0.0) { $0 + 1 + (weight.columns[$1] ?? 0) / weight.rows }
      let bytes = weight.rows * (Self.bytesOfEntry + Self.stored(keys))
      largest = max(largest, bytes)
      whole += bytes
    }
    for join in layout.joinTables {
      let places = [join.first.orderColumn, join.second.orderColumn].count { $0 != nil }
      let pairs = pairs[join.name] ?? 0
      whole += pairs * (Self.bytesOfPair + Double(places) * Self.bytesOfPlace)
      largest = max(largest, pairs * Self.bytesOfPair / 3)
    }
    return (whole * Self.slack, largest * Self.slack)
  }

  /// What so long a key takes in an index: one that is longer than a quarter of a page goes on in pages of its own.
  static func stored(_ key: Double) -> Double {
    key < 900 ? key : 500 + (key / 4092).rounded(.up) * 4096
  }
}
