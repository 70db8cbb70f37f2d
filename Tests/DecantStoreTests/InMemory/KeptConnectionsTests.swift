import DecantTestSupport
import Foundation
import Testing

@testable import DecantSQLite
@testable import DecantStore

@Suite("Connections that are kept for further small stores") struct KeptConnectionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file with a table of one column that has these numbers.
  private func file(_ name: String, column: String = "a", _ numbers: [Int], pageSize: Int = 4096) throws
    -> String
  {
    let path = folder.path(name)
    let database = try SQLiteDatabase(path, mode: .create)
    try database.execute("PRAGMA page_size=\(pageSize); CREATE TABLE t (\(column) INTEGER)")
    for number in numbers { try database.execute("INSERT INTO t VALUES (\(number))") }
    return path
  }

  private func opened(_ kept: KeptConnections, _ path: String) -> KeptConnections.Source? {
    kept.source(path, seconds: 60, observer: nil)
  }

  private func text(_ database: SQLiteDatabase, _ statement: String) throws -> String? {
    if case .text(let text)? = try database.rows(statement).first?.first { text } else { nil }
  }

  @Test("each store is read correctly, whatever the store before was")
  func oneAfterAnother() throws {
    let kept = KeptConnections()
    // The headers of these files differ only in the page size. Schema number and change counter are equal.
    let files = try [
      (file("A", [1, 2, 3]), "a", "1,2,3"), (file("B", [4, 5, 6]), "a", "4,5,6"),
      (file("C", column: "b", [7, 8, 9]), "b", "7,8,9"), (file("D", [1, 1, 1], pageSize: 8192), "a", "1,1,1"),
      (file("E", column: "a TEXT, b", []), "a", nil),
    ]
    for place in [0, 1, 0, 2, 0, 3, 1, 4, 2, 2] {
      let (path, column, expected) = files[place]
      let source = try #require(opened(kept, path))
      for _ in 1...2 {
        let found = try text(source.database, "SELECT group_concat(\(column)) FROM t")
        #expect(found == expected, "\(path)")
      }
      let check = try text(source.database, "PRAGMA quick_check")
      #expect(check == "ok")
    }
  }

  @Test("a connection is used again, except after an error")
  func reuse() throws {
    let kept = KeptConnections()
    let path = try file("A", [1])
    let first = try #require(opened(kept, path)?.database.connection)
    let second = try #require(opened(kept, path)?.database.connection)
    #expect(first === second)
    do {
      let source = try #require(opened(kept, path))
      #expect(throws: SQLiteError.self) { try source.database.execute("SELECT nothing FROM t") }
    }
    let third = try #require(opened(kept, path))
    #expect(third.database.connection !== first)
    let number = try third.database.integer("SELECT a FROM t")
    #expect(number == 1)
  }

  @Test("texts in different normal forms are different statements")
  func normalForms() throws {
    let kept = KeptConnections()
    let path = try file("A", [1])
    for text in ["e\u{301}", "\u{e9}", "e\u{301}"] {
      let source = try #require(opened(kept, path))
      let found = try source.database.rows("SELECT CAST('\(text)' AS BLOB) FROM t").first?.first
      #expect(found == .blob(Data(text.utf8)))
    }
    for column in ["\"e\u{301}\"", "\"\u{e9}\"", "\"e\u{301}\""] {
      let source = try #require(try opened(kept, file("\(UUID())", column: column, [3])))
      let name = try source.database.rows("SELECT CAST(name AS BLOB) FROM pragma_table_info('t')").first?.first
      #expect(name == .blob(Data(column.utf8.dropFirst().dropLast())))
    }
  }

  @Test("a store that is being read isn't replaced")
  func reading() throws {
    let kept = KeptConnections()
    let source = try #require(try opened(kept, file("A", [1, 2])))
    let statement = try source.database.prepare("SELECT a FROM t")
    let isThere = try statement.step()
    #expect(isThere)
    let other = try Data(contentsOf: URL(fileURLWithPath: file("B", [7, 8])))
    let isReplaced = source.database.connection.replace("main", with: other)
    #expect(!isReplaced)
    statement.reset()
    #expect(source.database.connection.replace("main", with: other))
  }

  @Test("the memory of a large store isn't kept")
  func room() throws {
    let kept = KeptConnections()
    let empty = EmptyStores()
    func destination() throws -> SQLiteDatabase {
      let source = try #require(try opened(kept, file("\(UUID())", [1])))
      return try kept.destination(
        empty.store(creating: ["CREATE TABLE d (a)"]), named: "d", limit: 32 << 20, source: source.image)
    }
    let small = try destination().connection
    do {
      let same = try destination()
      #expect(same.connection === small)
      try same.execute("INSERT INTO main.d VALUES (zeroblob(\(3 * KeptConnections.mostBytes)))")
    }
    let after = try destination().connection
    #expect(after !== small)
  }

  @Test("two stores that are open at the same time don't mix")
  func sideBySide() throws {
    let kept = KeptConnections()
    let one = try #require(try opened(kept, file("A", [1])))
    let other = try #require(try opened(kept, file("B", [2])))
    for _ in 1...2 {
      let found = [
        try one.database.integer("SELECT a FROM t"), try other.database.integer("SELECT a FROM t"),
      ]
      #expect(found == [1, 2])
    }
  }

  @Test("a file that isn't a small regular store isn't opened in memory")
  func declined() throws {
    let kept = KeptConnections()
    #expect(opened(kept, folder.path("none")) == nil)
    try Data(repeating: 1, count: 5000).write(to: URL(fileURLWithPath: folder.path("noise")))
    #expect(opened(kept, folder.path("noise")) == nil)
    let path = try file("A", [1])
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    #expect(opened(kept, folder.path("link")) == nil)
    var long = try Data(contentsOf: URL(fileURLWithPath: path))
    long.append(Data(count: KeptConnections.mostBytes))
    try long.write(to: URL(fileURLWithPath: folder.path("long")))
    #expect(opened(kept, folder.path("long")) == nil)
    let analyzed = try file("analyzed", [1, 2])
    try SQLiteDatabase(analyzed, mode: .readWrite).execute("CREATE INDEX i ON t (a); ANALYZE")
    #expect(opened(kept, analyzed) == nil)
    // A file format that the present SQLite can't read.
    var future = try Data(contentsOf: URL(fileURLWithPath: path))
    future[19] = 3
    try future.write(to: URL(fileURLWithPath: folder.path("future")))
    #expect(opened(kept, folder.path("future")) == nil)
    let number = try opened(kept, path)?.database.integer("SELECT a FROM t")
    #expect(number == 1)
  }

  @Test("each destination begins empty, with its own source, and without changes of the destination before")
  func destinations() throws {
    let kept = KeptConnections()
    let empty = EmptyStores()
    let statements = ["CREATE TABLE d (a INTEGER)"]
    func destination(_ source: KeptConnections.Source, limit: Int = 1 << 20) throws -> SQLiteDatabase {
      try kept.destination(
        empty.store(creating: statements), named: "d", limit: limit, source: source.image)
    }
    for number in [1, 2, 2, 3] {
      let source = try #require(try opened(kept, file("\(UUID())", [number, number + 10])))
      let database = try destination(source)
      let before = try database.rows("SELECT count(*) FROM main.d").first?.first
      #expect(before == .integer(0))
      try database.execute("BEGIN")
      try database.prepare("INSERT INTO main.d SELECT a FROM source.t WHERE a > ?").run([.integer(0)])
      // A changed schema isn't used for the next store.
      try database.execute("CREATE UNIQUE INDEX i ON d (a); COMMIT")
      let found = try text(database, "SELECT group_concat(a) FROM main.d")
      #expect(found == "\(number),\(number + 10)")
    }
    let source = try #require(try opened(kept, file("long", Array(1...3))))
    do {
      let database = try destination(source)
      let full = #expect(throws: SQLiteError.self) {
        try database.execute(
          "INSERT INTO main.d SELECT a FROM source.t; INSERT INTO main.d VALUES (zeroblob(2000000))")
      }
      #expect(full?.isNoRoom == true)
    }
    let rows = try destination(source).integer("SELECT count(*) FROM main.d")
    #expect(rows == 0)
  }
}
