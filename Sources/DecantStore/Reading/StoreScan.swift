internal import CSQLite
internal import DecantSQLite

/// The result of reading a store's file once from start to end: every page is sound, and the rows are counted.
struct StoreScan: Sendable {
  /// The counts of the entity tables, by name.
  let tables: [String: TableTally]

  /// The number of bytes per read.
  private static let piece = 1 << 20
  /// Whether the types of values are checked, as `PRAGMA quick_check` does it since SQLite 3.41.
  static let checksTypes = sqlite3_libversion_number() >= 3_041_000

  /// Reads the schema of a file, opens the file and scans it.
  ///
  /// - Parameters:
  ///   - database: A connection to the same file.
  ///   - checksTypes: Whether a value of a type that its column doesn't expect ends the scan.
  ///   - isOver: Asked before each read; true ends the scan.
  /// - Returns: `nil` if the file may be damaged, if it has something that only SQLite can check, or if the scan was
  ///   ended.
  /// - Throws: `StoreError` for a file that can't be read.
  static func run(
    _ path: String, _ database: SQLiteDatabase, checksTypes: Bool = Self.checksTypes,
    orUntil isOver: () -> Bool
  ) throws(StoreError) -> StoreScan? {
    guard let schema = try? ScannedSchema(database, checksTypes: checksTypes),
      let file = try PagedFile.open(path)
    else { return nil }
    return try run(file, schema, orUntil: isOver)
  }

  /// Scans an open file.
  static func run(
    _ file: consuming PagedFile, _ schema: ScannedSchema, orUntil isOver: () -> Bool
  ) throws(StoreError) -> StoreScan? {
    var check = PageCheck(file, trees: schema.trees)
    guard try check.survey(orUntil: isOver) else { return nil }
    let size = check.map.file.pageSize
    let count = max(1, min(piece / size, check.map.file.pageCount))
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count * size + PageBytes.padding)
    defer { memory.deallocate() }
    try check.map.file.rewind()
    var page = 1
    while page <= check.map.file.pageCount {
      guard !isOver() else { return nil }
      let pages = min(count, check.map.file.pageCount - page + 1)
      let read = try check.map.file.fill(memory, pages * size)
      guard read > 0, read % size == 0 else { return nil }
      for place in stride(from: 0, to: read, by: size) {
        guard check.check(PageBytes(UnsafePointer(memory + place)), page) else { return nil }
        page += 1
      }
    }
    // Another program may be appending to the file. Then the file has more pages than its header states.
    guard try check.map.file.fill(memory, 1) == 0, try check.finish() else { return nil }
    var tables: [String: TableTally] = [:]
    for (number, name) in schema.names { tables[name] = check.tallies[number] }
    return StoreScan(tables: tables)
  }
}
