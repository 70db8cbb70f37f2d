import Testing

@testable import DecantModel

@Suite struct CountedTests {
  @Test func oneIsSingularAndAllOthersArePlural() {
    #expect([0, 1, 2, -1].map { counted($0, "row") } == ["0 rows", "1 row", "2 rows", "-1 rows"])
    #expect([1, 2].map { counted($0, "entry", "entries") } == ["1 entry", "2 entries"])
  }
}
