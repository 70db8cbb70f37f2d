import Testing

@testable import DecantExpressions

/// A name table finds the same places for names as a dictionary would.
@Suite("Names looked up without hashing") struct NameTableTests {
  private static let names = [
    "", "a", "b", "ab", "ba", "name", "nome", "aLongNameThatIsKeptOutsideOfTheString",
    "aLongNameThatIsKeptOutsideOfTheStrinG", "caf\u{e9}", "número",
  ]

  @Test(arguments: [1, 3, 11, 60])
  func everyNameHasItsPlace(count: Int) {
    let names = (0..<count).map { $0 < Self.names.count ? Self.names[$0] : "name\($0)" }
    let table = NameTable(names)
    for (place, name) in names.enumerated() {
      #expect(table.place(of: name) == place)
      // A new string has its characters in other memory.
      #expect(table.place(of: String(decoding: Array(name.utf8), as: UTF8.self)) == place)
    }
    for other in ["c", "Name", "nam", "aLongNameThatIsKeptOutsideOfTheString!", "\0"] {
      #expect(table.place(of: other) == nil)
    }
  }

  @Test func otherNormalFormsAreTheSameName() {
    let table = NameTable(Self.names)
    #expect(table.place(of: "cafe\u{301}") == 9)
    #expect(table.place(of: "nu\u{301}mero") == 10)
  }

  @Test func nothingIsInAnEmptyOne() { #expect(NameTable([]).place(of: "") == nil) }
}
