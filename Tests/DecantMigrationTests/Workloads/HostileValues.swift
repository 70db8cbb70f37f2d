import DecantSQLite
import DecantTestSupport

/// Random values, some of which often cause errors.
struct HostileValues {
  var dice: Dice

  private static let words = [
    "mar", "río", "ri\u{301}o", "monte", "jardín", "jardi\u{301}n", "Weiß", "O'Brien", "İstanbul", "ﬁn", "日本",
    "👩‍👩‍👧", "\u{1F1EA}\u{1F1F8}", "a%_b", "\"x\"", "a;--", "\\", "x\ty", "x\ny", "\u{FEFF}", "\u{FFFF}",
  ]
  private static let texts = [
    "", " ", "  ", "é", "e\u{301}", "É", "E\u{301}", "x", "X", "x ", " x", "a  b", "a b ", "\0", "a\0b",
    "null", "NULL", "0", "1e3", "0x10", String(repeating: "año ", count: 2_000),
  ]
  /// The time of 15 October 1582: Decant writes earlier dates as Julian dates, SQLite as Gregorian dates.
  static let gregorian: Double = -13_197_600_000
  /// Core Data's `distantPast` and `distantFuture`, and times around 1970, 1582 and 2001.
  private static let times: [Double] = [
    -63_114_076_800, 64_092_211_200, -978_307_200, -978_307_200.5, -978_307_201, -13_197_599_999.75, -0.5, -0.0,
    0,
    0.999_999_9, -0.000_000_1, 1, 60, 86_399.999, 220_924_800, 1e-300, 788_918_400.123_456_7,
  ]
  private static let numbers: [Int64] = [
    0, -1, 1, .min, .max, .min + 1, 1 << 53, (1 << 53) + 1, -(1 << 31), 1 << 31,
  ]

  /// A text: one of ten is NULL, and one of ten is a text that often causes errors.
  mutating func text(words count: Int = 3, unique: Int? = nil) -> SQLiteValue {
    switch dice.below(10) {
    case 0: return .null
    case 1: return .text(dice.pick(Self.texts))
    default:
      let words = (0..<(1 + dice.below(count))).map { _ in dice.pick(Self.words) }
      return .text(words.joined(separator: " ") + (unique.map { " \($0)" } ?? ""))
    }
  }

  /// One of a small number of texts, so that most texts occur often.
  mutating func category() -> SQLiteValue {
    switch dice.below(10) {
    case 0: .null
    case 1: .text(dice.pick(Self.texts))
    default: .text("\(dice.pick(Self.words)) \(dice.below(40))")
    }
  }

  /// A full name of one or more words; tests split it at the first space.
  mutating func name() -> SQLiteValue { dice.chance(50) ? text(words: 1) : text(words: 4) }

  /// A time in seconds since 2001; one of ten is NULL.
  ///
  /// - Parameter first: The earliest time.
  mutating func time(from first: Double = -.infinity) -> SQLiteValue {
    let time: Double
    switch dice.below(10) {
    case 0: return .null
    case 1, 2: time = dice.pick(Self.times)
    case 3: time = (dice.unit() - 0.5) * 4e10
    default: time = dice.unit() * 8e8
    }
    return .real(max(first, time))
  }

  mutating func number() -> SQLiteValue {
    switch dice.below(10) {
    case 0: .null
    case 1, 2: .integer(dice.pick(Self.numbers))
    default: .integer(Int64(dice.below(1 << 40)))
    }
  }

  /// Keys in order, with gaps.
  mutating func keys(_ count: Int) -> [Int64] {
    var key: Int64 = 0
    return (0..<count).map { _ in
      key += dice.chance(3) ? Int64(2 + dice.below(500)) : 1
      return key
    }
  }
}
