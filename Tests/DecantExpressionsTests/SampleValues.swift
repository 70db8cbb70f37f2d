import DecantModel
import DecantTestSupport
import Foundation

@testable import DecantExpressions
@testable import DecantSQLite

/// Usual and unusual values of columns.
enum SampleValues {
  static let strings = [
    "", "a", "A", "abc", "ABC", "abcabc", "Ärger", "A\u{308}rger", "ärger", "straße", "STRASSE", "ñandú",
    "n\u{303}andu\u{301}", "💡 idea", "10", "3.5", "-7", "x*y", "a?b", "a\\*b", "50%", "İstanbul", "ǅ",
    "a\u{0}b", "\n",
    "it's", "“so”", "\u{1F1EA}\u{1F1F8}", "zebra", "éa", "e\u{301}a", "2001-01-01",
  ]
  static let integers: [Int64] = [
    0, 1, -1, 2, 3, 5, 7, 42, -128, 1000, 9_007_199_254_740_992, 9_007_199_254_740_993, .max, .min, .max - 1,
  ]
  static let doubles = [
    0, 0.5, 1, -1, 2, 2.5, -2.5, 0.1, 0.3, 1e-7, 1e15, 1e300, -1e300, 9_007_199_254_740_992, 9.3e18, 123.456,
    .infinity, .leastNonzeroMagnitude, 3,
  ]
  static let decimals: [SQLiteValue] = [
    .integer(0), .integer(5), .real(10.11), .real(-3.25), .real(0.1), .integer(42), .real(1e20), .real(2.5),
    .integer(.max), .real(1e-9),
  ]
  static let dates = [0, 1, -1e9, 602_395_200.25, 0.5, 700_000_000.25, 978_307_200, 2]
  static let uuids = [
    UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11"),
    UUID(uuidString: "00000000-0000-0000-0000-000000000000"),
  ].compactMap { $0 }
  static let links = ["https://example.org/a", "x-coredata://p1", ""]
  static let bytes = [Data(), Data([0]), Data([1, 2, 3]), Data("abc".utf8)]

  static func value(of attribute: Attribute, _ folder: TemporaryFolder, _ dice: inout Dice) throws
    -> SQLiteValue
  {
    switch attribute.type {
    case .boolean: return .integer(Int64(dice.below(2)))
    case .integer16: return .integer(Int64(dice.below(9)) - 2)
    case .integer32: return .integer(dice.pick([0, 1, 2, 3, 40, -7, 2_147_483_647]))
    case .integer64: return .integer(dice.pick(integers))
    case .double: return .real(dice.pick(doubles))
    case .float: return .real(Double(Float(dice.pick([0.1, 1.5, -2.25, 3, 1e10]))))
    case .decimal: return dice.pick(decimals)
    case .string: return .text(dice.pick(strings))
    case .date: return .real(dice.pick(dates))
    case .uuid: return .blob(UUIDColumn.data(dice.pick(uuids)))
    case .uri: return .text(dice.pick(links))
    case .binary:
      let data = dice.pick(bytes)
      guard attribute.allowsExternalBinaryDataStorage else { return .blob(data) }
      return .blob(dice.chance(50) ? Data([1]) + data : try folder.put(data))
    case .transformable: return .blob(dice.pick(bytes))
    case .undefined, .objectID, .composite: return .null
    }
  }
}
