import Testing

@testable import DecantSQLite

@Suite("New primary keys") struct NewKeyTests {
  @Test("an error tells a key beyond the range from a damaged working file")
  func refused() throws {
    #expect(try NewKey.checked(.integer(7)) == 7)
    for (next, words) in [
      (SQLiteValue.integer(0), "would be 0;"), (.real(1e19), "would be beyond \(Int64.max);"),
      (.text("x"), "so it is damaged"), (nil, "so it is damaged"),
    ] as [(SQLiteValue?, String)] {
      let error = #expect(throws: NewKey.Exhausted.self) { try NewKey.checked(next) }
      #expect(error?.description.contains(words) == true, "\(error as Any)")
    }
  }
}
