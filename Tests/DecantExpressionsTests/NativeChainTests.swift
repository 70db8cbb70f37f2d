import DecantTestSupport
import Foundation
import PredicateFormat
import Testing

@testable import DecantExpressions
@testable import DecantSQLite

/// Chains of native functions over a row's bytes give the evaluator's results.
@Suite struct NativeChainTests {
  private static let pieces = [
    "a", "Ana", " ", "  ", "\t", "\n", "\r\n", "\u{0b}", "\u{1f}", "ñ", "Íñigo", "e\u{301}", " \u{301}",
    "\u{a0}",
    "\u{85}", "\u{ad}", "\u{2003}", "\u{3000}", "\u{600}", "ɏ", "ß", "日本", "👩‍👩‍👧", ",", ", ", "--", "\u{200d}",
  ]

  private func database() throws -> SQLiteDatabase {
    let database = try SQLiteDatabase("native", mode: .memory)
    try ExpressionFunctions.register(in: database, now: 0)
    return database
  }

  private func text(_ dice: inout Dice) -> String {
    (0..<dice.below(7)).map { _ in dice.pick(Self.pieces) }.joined()
  }

  /// The result of a chain in a statement with `values` as parameters.
  private func given(
    _ chain: NativeChain, _ values: [SQLiteValue] = [], in database: SQLiteDatabase
  ) throws -> SQLiteValue {
    try database.rows("SELECT \(try #require(chain.sql))", values)[0][0]
  }

  private static let first = NativeChain.value("?1")

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
      for (name, chain) in [
        ("firstWord", NativeChain.firstWord(Self.first)), ("lastWord", NativeChain.lastWord(Self.first)),
      ] {
        let found = try given(chain, [.text(text)], in: database)
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
      let found = try given(.split(Self.first, separator: separator, index: index), [.text(text)], in: database)
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
      let counted = try given(.characterCount(Self.first), [.text(text)], in: database)
      #expect(try counted == evaluated("characterCount", [.string(text)]), "\(text.debugDescription)")
      let (start, count) = (Int64(dice.below(9) - 3), Int64(dice.below(6)))
      let rest = try given(
        .substring(Self.first, .value("?2"), nil), [.text(text), .integer(start)], in: database)
      #expect(
        try rest == evaluated("substring", [.string(text), .integer(start)]),
        "\(text.debugDescription), \(start)")
      let part = try given(
        .substring(Self.first, .integer(start), .value("?2")), [.text(text), .integer(count)], in: database)
      #expect(
        try part == evaluated("substring", [.string(text), .integer(start), .integer(count)]),
        "\(text.debugDescription), \(start), \(count)")
    }
  }

  @Test func roundingIsTheEvaluators() throws {
    let database = try database()
    for (name, rounding) in [("floor", .down), ("ceiling", .up), ("trunc", .towardZero)]
      as [(
        String, NativeChain.Rounding
      )]
    {
      let chain = NativeChain.rounded(Self.first, rounding)
      for number in [0, 1.5, -1.5, 2.999999999, -0.0, 1e300, -1e300, 0.1] {
        let found = try given(chain, [.real(number)], in: database)
        #expect(try found == evaluated("\(name):", [.double(number)]), "\(name) of \(number)")
      }
      #expect(try given(chain, [.null], in: database) == .null)
    }
  }

  @Test(
    "the result for invalid UTF-8 is the evaluator's result for the repaired text",
    arguments: ["e9", "61e920e8", "c3", "62a0", "20c3a9ff"])
  func otherBytes(bytes: String) throws {
    let database = try database()
    let text = "CAST(x'\(bytes)' AS TEXT)"
    let repaired = try database.rows("SELECT \(text)")[0][0]
    guard case .text(let repaired) = repaired else { return #expect(Bool(false), "\(repaired)") }
    let value = NativeChain.value(text)
    for (chain, name, further) in [
      (.firstWord(value), "firstWord", []), (.lastWord(value), "lastWord", []),
      (.characterCount(value), "characterCount", []),
      (.split(value, separator: " ", index: 0), "split", [.string(" "), .integer(0)]),
      (.substring(value, .integer(1), nil), "substring", [.integer(1)]),
    ] as [(NativeChain, String, [Value])] {
      let found = try given(chain, in: database)
      #expect(try found == evaluated(name, [.string(repaired)] + further), "\(name)")
    }
  }

  @Test func nilGivesNil() throws {
    let database = try database()
    let (none, text) = (NativeChain.value("NULL"), NativeChain.value("'a'"))
    for chain in [
      .firstWord(none), .lastWord(none), .split(none, separator: " ", index: 0), .stamp(none, pattern: "yyyy"),
      .characterCount(none), .substring(none, .integer(1), nil), .substring(text, none, nil), .nilIfEmpty(none),
      .nilIfEmpty(.value("''")), .digits(none), .real(none), .arithmetic(none, .plus, .integer(1)),
    ] as [NativeChain] {
      #expect(try given(chain, in: database) == .null, "\(chain)")
    }
  }

  @Test("nested calls evaluate a shared part once, and give the evaluator's results")
  func nested() throws {
    let database = try database()
    var dice = Dice(11)
    let first = NativeChain.split(Self.first, separator: " ", index: 0)
    let rest = NativeChain.nilIfEmpty(
      .substring(Self.first, .arithmetic(.characterCount(first), .plus, .integer(1)), nil))
    #expect(try #require(rest.sql).components(separatedBy: "split").count == 2)
    for _ in 0..<2000 {
      let text = text(&dice)
      guard case .text(let head) = try evaluated("split", [.string(text), .string(" "), .integer(0)]),
        case .integer(let count) = try evaluated("characterCount", [.string(head)])
      else { return #expect(Bool(false), "\(text.debugDescription)") }
      let tail = try evaluated("substring", [.string(text), .integer(count + 1)])
      let expected = tail == .text("") ? .null : tail
      #expect(try given(rest, [.text(text)], in: database) == expected, "\(text.debugDescription)")
    }
  }

  @Test("whole numbers are written and computed as by SQLite", arguments: ["plus", "minus", "times"])
  func numbers(sign: String) throws {
    let database = try database()
    let sign = try #require(NativeChain.Sign(rawValue: sign))
    let mark = [NativeChain.Sign.plus: "+", .minus: "-", .times: "*"][sign, default: ""]
    let numbers: [SQLiteValue] = [
      .integer(.max), .integer(.min), .integer(0), .integer(-1), .integer(7), .real(0.5), .real(.infinity),
      .real(-.infinity), .null,
    ]
    for one in numbers {
      for other in numbers {
        let found = try given(.arithmetic(Self.first, sign, .value("?2")), [one, other], in: database)
        #expect(
          try [[found]] == database.rows("SELECT ?1 \(mark) ?2", [one, other]), "\(one) \(mark) \(other)")
      }
      guard case .integer = one else { continue }
      let digits = try given(.digits(Self.first), [one], in: database)
      #expect(try [[digits]] == database.rows("SELECT CAST(?1 AS TEXT)", [one]))
    }
  }

  @Test("a value that doesn't fit its column ends the statement with the property's name")
  func misfits() throws {
    let database = try database()
    func column(_ kind: NativeChain.ColumnKind) -> NativeChain {
      .column(sql: "?1", kind: kind, label: "Nota.texto", type: "String")
    }
    for (kind, fit, misfit) in [
      (.string, .text("a"), .integer(1)), (.integer, .integer(1), .real(1.5)),
      (.double, .integer(2), .text("a")),
      (.string, .null, .blob(Data([1]))),
    ] as [(NativeChain.ColumnKind, SQLiteValue, SQLiteValue)] {
      let chain = NativeChain.real(column(kind))
      _ = try given(chain, [fit], in: database)
      #expect {
        _ = try given(chain, [misfit], in: database)
      } throws: {
        "\($0)".contains("“Nota.texto” is of type String, but a row holds")
      }
    }
  }

  @Test(
    "a text that isn't an encoded chain is refused", arguments: ["", "[]", "{}", #"[{"firstWord":{"_0":0}}]"#])
  func malformed(text: String) throws {
    let database = try database()
    #expect(throws: SQLiteError.self) {
      _ = try database.rows("SELECT decant_native(?, 'a')", [.text(text)])
    }
  }

  @Test("chains that differ only in a text's Unicode normal form aren't mixed up")
  func normalForms() throws {
    let database = try database()
    let forms = ["\u{e9}", "e\u{301}"]
    for separator in forms + forms {
      let chain = NativeChain.split(Self.first, separator: separator, index: 0)
      for text in forms.map({ "a\($0)b" }) {
        let expected = try evaluated("split", [.string(text), .string(separator), .integer(0)])
        #expect(try given(chain, [.text(text)], in: database) == expected)
      }
    }
  }

  @Test("dates are written to the millisecond as by the evaluator's formatDate", arguments: [5, 6] as [UInt64])
  func dates(seed: UInt64) throws {
    let database = try database()
    var dice = Dice(seed)
    let long = String(repeating: "yyyy-MM-dd HH:mm:ss | ", count: 6)
    let patterns = ["yyyy-MM-dd HH:mm:ss", "dd.MM.yyyy", "yyyyMMdd/HHmmss.SSS", "HH:mm", "- ss -", long]
    let statements = try patterns.map { pattern in
      try database.prepare("SELECT \(try #require(NativeChain.stamp(Self.first, pattern: pattern).sql))")
    }
    for turn in 0..<4000 {
      // Dates near the limits of seconds and days, in all years of the calendar and beyond it.
      let whole = Double(dice.below(turn.isMultiple(of: 2) ? 800_000_000 : 270_000_000_000) - 14_000_000_000)
      let edge = turn.isMultiple(of: 3) ? (whole / 86_400).rounded(.down) * 86_400 : whole
      let seconds = edge + dice.pick([0, 0.5, 0.9994, 0.9995, 0.99951, 0.9999999, -0.0005, -0.0004, 0.001])
      let place = dice.below(patterns.count)
      let (pattern, statement) = (patterns[place], statements[place])
      try statement.bind(.real(seconds), at: 1)
      #expect(try statement.step())
      let found = statement.value(0)
      statement.reset()
      #expect(
        try found == evaluated("formatDate", [.date(seconds), .string(pattern)]), "\(seconds) as \(pattern)")
    }
  }

  @Test(
    "patterns that aren't made of plain numeric fields are refused",
    arguments: ["", "yy-MM-dd", "MMM d", "yyyy 'at' HH", "EEEE", "h:mm a", "ñ"])
  func otherPatterns(pattern: String) {
    #expect(DateStamp(pattern) == nil)
  }
}
