import PredicateFormat
import Testing

@testable import DecantStore

/// Functions over a row's bytes give what the evaluator gives.
@Suite struct NativeFunctionTests {
  private static let pieces = [
    "a", "Ana", " ", "  ", "\t", "\n", "\r\n", "\u{0b}", "\u{1f}", "ñ", "Íñigo", "e\u{301}", " \u{301}",
    "\u{a0}",
    "\u{85}", "\u{ad}", "\u{2003}", "\u{3000}", "\u{600}", "ɏ", "ß", "日本", "👩‍👩‍👧", ",", ", ", "--", "\u{200d}",
  ]

  private func database() throws -> SQLiteDatabase {
    let database = try SQLiteDatabase("native", mode: .memory)
    ExpressionFunctions.register(in: database, now: 0)
    return database
  }

  private func text(_ dice: inout Dice) -> String {
    (0..<dice.below(7)).map { _ in dice.pick(Self.pieces) }.joined()
  }

  private func evaluated(_ name: String, _ arguments: [Value]) throws -> SQLiteValue {
    let call = FormatExpression.call(name, arguments.map { .constant($0) })
    return try TaggedValue.sqlite(try call.value(in: EvaluationContext(functions: .library)))
  }

  @Test(arguments: [1, 2] as [UInt64])
  func wordsAreTheEvaluators(seed: UInt64) throws {
    let database = try database()
    var dice = Dice(seed)
    for _ in 0..<3000 {
      let text = text(&dice)
      for (name, function) in [
        ("firstWord", NativeFunctions.firstWord), ("lastWord", NativeFunctions.lastWord),
      ] {
        let found = try database.rows("SELECT \(function)(?)", [.text(text)])[0][0]
        #expect(try found == evaluated(name, [.string(text)]), "\(name) of \(text.debugDescription)")
      }
    }
  }

  @Test(arguments: [3, 4] as [UInt64])
  func partsAreTheEvaluators(seed: UInt64) throws {
    let database = try database()
    var dice = Dice(seed)
    for _ in 0..<3000 {
      let (text, separator) = (text(&dice), dice.chance(10) ? "" : dice.pick(Self.pieces))
      let index = dice.chance(5) ? Int64.min : Int64(dice.below(7) - 3)
      let found = try database.rows(
        "SELECT \(NativeFunctions.split)(?, ?, ?)", [.text(text), .text(separator), .integer(index)])[0][0]
      #expect(
        try found == evaluated("split", [.string(text), .string(separator), .integer(index)]),
        "\(text.debugDescription), \(separator.debugDescription), \(index)")
    }
  }

  @Test(arguments: [7, 8] as [UInt64])
  func charactersAreTheEvaluators(seed: UInt64) throws {
    let database = try database()
    var dice = Dice(seed)
    for _ in 0..<3000 {
      let text = text(&dice)
      let counted = try database.rows("SELECT \(NativeFunctions.characterCount)(?)", [.text(text)])[0][0]
      #expect(try counted == evaluated("characterCount", [.string(text)]), "\(text.debugDescription)")
      let (start, count) = (Int64(dice.below(9) - 3), Int64(dice.below(6)))
      let rest = try database.rows(
        "SELECT \(NativeFunctions.substring)(?, ?)", [.text(text), .integer(start)])[0][0]
      #expect(
        try rest == evaluated("substring", [.string(text), .integer(start)]),
        "\(text.debugDescription), \(start)")
      let part = try database.rows(
        "SELECT \(NativeFunctions.substring)(?, ?, ?)", [.text(text), .integer(start), .integer(count)])[0][0]
      #expect(
        try part == evaluated("substring", [.string(text), .integer(start), .integer(count)]),
        "\(text.debugDescription), \(start), \(count)")
    }
  }

  @Test func roundingIsTheEvaluators() throws {
    let database = try database()
    for name in ["floor", "ceiling", "trunc"] {
      for number in [0, 1.5, -1.5, 2.999999999, -0.0, 1e300, -1e300, 0.1] {
        let found = try database.rows("SELECT decant_\(name)(?)", [.real(number)])[0][0]
        #expect(try found == evaluated("\(name):", [.double(number)]), "\(name) of \(number)")
      }
      #expect(try database.rows("SELECT decant_\(name)(NULL)") == [[.null]])
    }
  }

  @Test(
    "what isn't UTF-8 is repaired as the evaluator does",
    arguments: ["e9", "61e920e8", "c3", "62a0", "20c3a9ff"])
  func otherBytes(bytes: String) throws {
    let database = try database()
    let text = "CAST(x'\(bytes)' AS TEXT)"
    let repaired = try database.rows("SELECT \(text)")[0][0]
    guard case .text(let repaired) = repaired else { return #expect(Bool(false), "\(repaired)") }
    for (call, name, further) in [
      ("first_word(\(text))", "firstWord", []), ("last_word(\(text))", "lastWord", []),
      ("character_count(\(text))", "characterCount", []),
      ("split(\(text), ' ', 0)", "split", [.string(" "), .integer(0)]),
      ("substring(\(text), 1)", "substring", [.integer(1)]),
    ] as [(String, String, [Value])] {
      let found = try database.rows("SELECT decant_\(call)")[0][0]
      #expect(try found == evaluated(name, [.string(repaired)] + further), "\(name)")
    }
  }

  @Test func nilGivesNil() throws {
    let database = try database()
    for call in [
      "first_word(NULL)", "last_word(NULL)", "split(NULL, ' ', 0)", "stamp(NULL, 'yyyy')",
      "character_count(NULL)", "substring(NULL, 1)", "substring('a', NULL, 1)",
    ] {
      #expect(try database.rows("SELECT decant_\(call)") == [[.null]])
    }
  }

  @Test("dates are written as Foundation's formatter does, to the thousandth", arguments: [5, 6] as [UInt64])
  func dates(seed: UInt64) throws {
    let database = try database()
    var dice = Dice(seed)
    let statement = try database.prepare("SELECT \(NativeFunctions.stamp)(?, ?)")
    for turn in 0..<4000 {
      // Near the edges of seconds and days, all over the calendar, and outside it.
      let whole = Double(dice.below(turn.isMultiple(of: 2) ? 800_000_000 : 270_000_000_000) - 14_000_000_000)
      let edge = turn.isMultiple(of: 3) ? (whole / 86_400).rounded(.down) * 86_400 : whole
      let seconds = edge + dice.pick([0, 0.5, 0.9994, 0.9995, 0.99951, 0.9999999, -0.0005, -0.0004, 0.001])
      let pattern = dice.pick(["yyyy-MM-dd HH:mm:ss", "dd.MM.yyyy", "yyyyMMdd/HHmmss.SSS", "HH:mm", "- ss -"])
      try statement.bind(.real(seconds), at: 1)
      try statement.bind(.text(pattern), at: 2)
      #expect(try statement.step())
      let found = statement.value(0)
      statement.reset()
      #expect(
        try found == evaluated("formatDate", [.date(seconds), .string(pattern)]), "\(seconds) as \(pattern)")
    }
  }

  @Test(
    "only patterns of plain fields are",
    arguments: ["", "yy-MM-dd", "MMM d", "yyyy 'at' HH", "EEEE", "h:mm a", "ñ"])
  func otherPatterns(pattern: String) {
    #expect(DateStamp(pattern) == nil)
  }
}
