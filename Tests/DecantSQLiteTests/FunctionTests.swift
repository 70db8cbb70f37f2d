import DecantSQLite
import Testing

@Suite("SQL functions") struct FunctionTests {
  @Test("the error names a function that SQLite refuses")
  func refused() throws {
    let database = try SQLiteDatabase("memory", mode: .memory)
    let name = String(repeating: "f", count: 256)
    let error = #expect(throws: SQLiteError.self) { try database.register(name, arguments: 1) { _ in 1 } }
    #expect(error?.statement == "the function \(name)")
    try database.register("one", arguments: 1) { $0.integer(0) + 1 }
    #expect(try database.integer("SELECT one(6)") == 7)
  }
}
