import Foundation
import Testing

@testable import DecantSQLite
@testable import DecantStore

/// Rows that wait to be written are read back unchanged.
@Suite("Rows that wait to be written") struct PackedRowsTests {
  private static let values: [SQLiteValue] = [
    .null, .integer(0), .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""), .text("a"),
    .text("a\0b"), .text("exactly 15 chars"), .text(String(repeating: "ñ", count: 2048)),
    .text(String(repeating: "ñ", count: 2049)), .text(String(repeating: "long ", count: 40_000)),
    .blob(Data()), .blob(Data([0, 1, 255])), .blob(Data(repeating: 7, count: 100_000)),
  ]

  @Test func everyValueComesBack() throws {
    let database = try SQLiteDatabase("values", mode: .memory)
    try database.execute("CREATE TABLE v (k INTEGER PRIMARY KEY, x, y)")
    let statement = try database.prepare("INSERT INTO v VALUES (?, ?, ?)")
    let rows = PackedRows()
    // Two rounds with the same memory. The second round has more rows than it has room for.
    for times in [1, 90] {
      try database.execute("DELETE FROM v")
      rows.removeAll()
      #expect(rows.count == 0)
      let all = (0..<times).flatMap { _ in Self.values }
      for (key, value) in all.enumerated() {
        rows.append(Int64(key))
        rows.append(value)
        rows.append(all[all.count - 1 - key])
      }
      #expect(rows.count == 3 * all.count)
      for key in all.indices {
        for column in 0..<3 { try rows.bind(3 * key + column, to: statement, at: column + 1) }
        try statement.run()
      }
      let found = try database.rows("SELECT x, y FROM v ORDER BY k")
      #expect(found.map { $0[0] } == all)
      #expect(found.map { $0[1] } == all.reversed())
    }
  }
}
