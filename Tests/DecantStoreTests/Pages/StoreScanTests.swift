import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantStore

/// The scan of a whole file counts as SQL does, and has no result if only SQLite can judge the file.
@Suite("A scan of a store's file") struct StoreScanTests {
  private static let plain = ScannedFile.Form(pageSize: 4096, vacuum: 2)

  @Test("a scan counts the rows of each table and entity", arguments: ScannedFile.Form.all)
  func counts(form: ScannedFile.Form) throws {
    let file = try ScannedFile(form)
    let database = try SQLiteDatabase(file.path, mode: .immutable)
    #expect(try database.integer("PRAGMA page_size") == form.pageSize)
    #expect(try FileParts(file.path).read(21).last == UInt8(form.reserved))
    let scan = try #require(try file.scan(checksTypes: true))
    #expect(Set(scan.tables.keys) == ["ZNOTE", "ZEMPTY"])
    for (table, tally) in scan.tables {
      let found = SourceRowCounts(tally, numbers: [1, 2, 3, 9])
      let counts = try SourceRowCounts(table, numbers: [1, 2, 3, 9], in: database)
      #expect(found.total == counts.total && found.keyed == counts.keyed && found.byNumber == counts.byNumber)
      #expect(found.leastKey == counts.leastKey && found.greatestKey == counts.greatestKey)
      #expect(!tally.hasLongerRows && tally.areNumbersKnown)
    }
  }

  @Test("a scan finds values after the last column")
  func longerRows() throws {
    let file = try ScannedFile(Self.plain)
    let database = try SQLiteDatabase(file.path, mode: .readWrite)
    database.allowSchemaWrites(true)
    try database.execute(
      "PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = replace(sql, ', ZMORE INTEGER', '') "
        + "WHERE name = 'ZNOTE'")
    #expect(try file.scan()?.tables["ZNOTE"]?.hasLongerRows == true)
  }

  @Test(
    "a scan has no result for tables with rules that it doesn't check",
    arguments: [
      "(a INTEGER NOT NULL)", "(a INTEGER NOT\n\tNULL)", "(a INTEGER PRIMARY KEY NOT/**/NULL)",
      "(a INTEGER) STRICT", "(a TEXT PRIMARY KEY) WITHOUT ROWID", "(a INTEGER, b AS(a + 1))",
      "(Z_PK INTEGER PRIMARY KEY DESC, Z_ENT INTEGER)",
    ])
  func furtherRules(statement: String) throws {
    let file = try ScannedFile(Self.plain)
    try file.change("CREATE TABLE other \(statement)")
    #expect(try file.scan() == nil)
  }

  @Test("a scan doesn't count tables whose columns aren't as Core Data makes them")
  func otherColumns() throws {
    let file = try ScannedFile(Self.plain)
    try file.change(
      """
      CREATE TABLE reals (Z_PK INTEGER PRIMARY KEY, Z_ENT REAL); INSERT INTO reals VALUES (1, 1);
      CREATE TABLE texts (Z_PK INTEGER PRIMARY KEY, Z_ENT VARCHAR); INSERT INTO texts VALUES (1, 1);
      CREATE TABLE numbers (Z_PK INT PRIMARY KEY, Z_ENT INTEGER); INSERT INTO numbers VALUES (7, 1);
      """)
    #expect(try file.scan().map { Set($0.tables.keys) } == ["ZNOTE", "ZEMPTY"])
  }

  @Test(
    "a scan has no result for unexpected types of values, which newer versions of SQLite check",
    arguments: [
      ("VARCHAR", "x'31'", true), ("BLOB", "1", true), ("", "'a'", true), ("INTEGER", "'a'", false),
      ("TIMESTAMP", "'a'", false), ("FLOAT", "2", true), ("FLOAT", "'a'", false), ("DECIMAL", "NULL", true),
    ])
  func types(declared: String, value: String, isExpected: Bool) throws {
    let file = try ScannedFile(Self.plain)
    try file.change("CREATE TABLE other (a \(declared)); INSERT INTO other VALUES (\(value))")
    #expect((try file.scan(checksTypes: true) != nil) == isExpected)
    #expect(try file.scan() != nil)
  }

  @Test("a scan has no result for a number in a column of texts")
  func numbersAsTexts() throws {
    let file = try ScannedFile(Self.plain)
    try file.change(
      """
      CREATE TABLE other (a); INSERT INTO other VALUES (1);
      PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = 'CREATE TABLE other (a TEXT)' WHERE name = 'other';
      """)
    #expect(try file.scan(checksTypes: true) == nil)
    #expect(try file.scan() != nil)
  }

  @Test(
    "a scan has no result for a file that grows while it is read",
    arguments: [ScannedFile.Form(pageSize: 1024, vacuum: 2), plain])
  func growth(form: ScannedFile.Form) throws {
    let file = try ScannedFile(form)
    let database = try ScannedFile.open(file.path)
    let found = try StoreScan.run(file.path, database) {
      let handle = FileHandle(forWritingAtPath: file.path)
      _ = try? handle?.seekToEnd()
      handle?.write(Data(repeating: 0, count: 4 * form.pageSize))
      return false
    }
    #expect(found == nil)
  }

  @Test("a scan counts up to 4,096 entity numbers, and leaves more numbers to SQL", arguments: [4096, 4097])
  func manyNumbers(count: Int) throws {
    let file = try ScannedFile(Self.plain)
    try file.change(
      """
      INSERT INTO ZEMPTY WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(2 * count))
        SELECT i, 1 + i % \(count), 1 FROM n
      """)
    let tally = try #require(try file.scan()?.tables["ZEMPTY"])
    #expect(tally.rows == 2 * count && tally.areNumbersKnown == (count <= 4096))
    if tally.areNumbersKnown {
      #expect(tally.numbers.count == count && tally.numbers.values.allSatisfy { $0 == 2 })
    }
  }

  @Test("a scan leaves the least row number to SQLite")
  func leastKey() throws {
    let file = try ScannedFile(Self.plain)
    try file.change(
      "CREATE TABLE other (a INTEGER); INSERT INTO other (rowid, a) VALUES (-9223372036854775808, 1)")
    #expect(ScannedFile.isSound(file.path))
    #expect(try file.scan() == nil)
  }

  @Test("a scan of bytes in memory has the result of a scan of the file", arguments: ScannedFile.Form.all)
  func memory(form: ScannedFile.Form) throws {
    let file = try ScannedFile(form)
    let trees = try ScannedSchema(ScannedFile.open(file.path), checksTypes: false)
    func scan(_ bytes: Data) throws -> StoreScan? {
      guard let pages = PagedFile.open(file.path, holding: bytes) else { return nil }
      return try StoreScan.run(pages, trees) { false }
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(try scan(bytes)?.tables == file.scan()?.tables)
    // A slice whose start index isn't 0.
    #expect(try scan((Data([0]) + bytes).dropFirst())?.tables == file.scan()?.tables)
    #expect(try scan(bytes.dropLast()) == nil && scan(bytes.prefix(99)) == nil && scan(Data()) == nil)
    var damaged = bytes
    damaged[100] ^= 1
    #expect(try scan(damaged) == nil)
  }

  @Test("a small store is read once; SQLite checks it only if the scan has no result")
  func smallStore() throws {
    let sample = try SampleStore()
    func open(checksPages: Bool = true) throws -> SourceStore {
      try SourceStore(sample.path, scratch: sample.folder.path("scratch"), checksPages: checksPages)
    }
    let store = try open()
    for (table, tally) in try #require(store.scan).tables {
      let numbers = tally.numbers.keys.map(Int.init)
      let counts = try store.rowCounts(of: table, numbers: numbers)
      let wanted = try SourceRowCounts(table, numbers: numbers, in: store.database)
      #expect(counts.total == wanted.total && counts.byNumber == wanted.byNumber)
    }
    #expect(try open(checksPages: false).scan == nil)
    try sample.change(
      "CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, A INTEGER); INSERT INTO ZOTHER VALUES (1, NULL)")
    #expect(try open().scan != nil)
    try sample.change(
      "UPDATE sqlite_master SET sql = replace(sql, 'A INTEGER', 'A INTEGER NOT NULL') WHERE name = 'ZOTHER'")
    #expect(try open(checksPages: false).scan == nil)
    let error = #expect(throws: StoreError.self) { try open() }
    guard case .damaged = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a scan ends when it is stopped")
  func stop() throws {
    let file = try ScannedFile(Self.plain)
    #expect(try StoreScan.run(file.path, SQLiteDatabase(file.path, mode: .immutable)) { true } == nil)
  }
}
