internal import DecantStore

/// Estimates the bytes of a store with a layout: rows, indexes and join tables.
struct StoreWeight {
  /// Rows and columns by the name of the entity.
  var entities: [String: EntityWeight] = [:]
  /// The number of pairs by join table.
  var pairs: [String: Double] = [:]

  /// The minimum bytes of a row: its entry in a page, its header, and its keys.
  static let leastOfRow = 10.0
  /// The bytes of a pair in a join table: the row, and an entry in each of two indexes.
  static let bytesOfPair = 46.0
  /// The bytes of an ordering key in a pair, if an end is ordered.
  private static let bytesOfPlace = 6.0
  /// The bytes of an index entry in addition to its values: its entry in a page, its header, and the row's key.
  private static let bytesOfEntry = 8.0
  /// The factor for free space at the end of pages, and for interior pages.
  private static let slack = 1.03

  /// The bytes of the whole store, and those of its largest index.
  func bytes(in layout: StoreLayout) -> (whole: Double, largestIndex: Double) {
    var whole = 0.0
    var largest = 0.0
    var tables: [String: EntityWeight] = [:]
    for table in layout.tables {
      var weight = EntityWeight()
      for entity in layout.model.family(of: table.rootEntity) { weight += entities[entity.name] ?? .init() }
      tables[table.name] = weight
      // Every column has a byte for its type.
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

  /// The bytes of a long key in an index; a key longer than a quarter of a page continues on overflow pages.
  static func stored(_ key: Double) -> Double {
    key < 900 ? key : 500 + (key / 4092).rounded(.up) * 4096
  }
}
