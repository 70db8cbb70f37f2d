import DecantSQLite
import PredicateFormat
import Testing

@testable import DecantExpressions

@Suite("Values within a statement") struct TaggedValueTests {
  @Test("the keys of a dictionary are in the order of their bytes, and come back")
  func dictionary() throws {
    // The first key is “é” in two scalars: by its normal form it would come after “f”.
    let keys = ["e\u{301}", "f", "\u{E9}0"]
    let value = Value.dictionary(Dictionary(uniqueKeysWithValues: keys.map { ($0, .string($0)) }))
    let encoded = try TaggedValue.sqlite(value)
    guard case .blob(let data) = encoded else { throw TaggedValue.Malformed() }
    let places = keys.map { data.firstRange(of: Array($0.utf8))?.lowerBound ?? -1 }
    #expect(places == places.sorted() && places[0] >= 0)
    #expect(try TaggedValue.value(encoded) == value)
  }
}
