import Foundation
import PredicateFormat
import Testing

@Suite struct ParsingTests {
  private func parse(_ text: String, _ arguments: [Value]? = nil) throws -> FormatPredicate {
    try FormatPredicate(parsing: text, arguments: arguments)
  }

  @Test(arguments: [
    ("=", ComparisonOperator.equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less),
    (">", .greater), ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">=", .greaterOrEqual),
    ("=>", .greaterOrEqual),
    ("Between", .between), ("in", .in), ("CONTAINS", .contains), ("beginswith", .beginsWith),
    ("EndsWith", .endsWith), ("like", .like), ("MATCHES", .matches), ("UTI-EQUALS", .equalsUTI),
    ("uti-conforms-to", .conformsToUTI),
  ])
  func everyOperatorInEveryCase(word: String, operation: ComparisonOperator) throws {
    let read = try parse("a \(word) b")
    #expect(read == .compare(.key("a"), operation, .key("b")))
    #expect(
      try parse("a \(word)[ncdl] b")
        == .compare(.key("a"), operation, .key("b"), ComparisonOptions(rawValue: 15)))
    #expect(try parse("a \(word) [] b") == read)
  }

  @Test(arguments: [
    ("12", Value.integer(12)), ("1.5", .double(1.5)), (".5", .double(0.5)), ("1e3", .double(1000)),
    ("1E-2", .double(0.01)), ("0x1f", .integer(31)), ("0o17", .integer(15)), ("0b101", .integer(5)),
    ("-7", .integer(-7)), ("- 7", .integer(-7)), ("-1.5", .double(-1.5)),
    ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("0xFFFFFFFFFFFFFFFF", .decimal(Decimal(UInt64.max))),
    ("'it\\'s \\\"x\\\" \\\\ \\n\\r\\t \\x41\\u00e9\\ud83d\\udca1'", .string("it's \"x\" \\ \n\r\t A\u{e9}💡")),
    ("\"it's\"", .string("it's")), ("'%@ $x'", .string("%@ $x")), ("YES", .boolean(true)),
    ("no", .boolean(false)),
    ("True", .boolean(true)), ("NULL", .null), ("Nil", .null), ("CAST('x', 'Class')", .className("x")),
    ("CAST(1.5, 'NSDate')", .date(1.5)), ("CAST('-inf', 'NSNumber')", .double(-.infinity)),
    ("CAST({1, {2}}, 'NSSet')", .set([.integer(1), .array([.integer(2)])])),
    ("CAST({'k', 2}, 'NSDictionary')", .dictionary(["k": .integer(2)])),
  ])
  func everyConstant(text: String, value: Value) throws {
    #expect(try FormatExpression(parsing: text) == .constant(value))
  }

  @Test func textsKeepTheirBytes() throws {
    let composed = try FormatExpression(parsing: "'\u{e9}'")
    let decomposed = try FormatExpression(parsing: "'e\u{301}'")
    #expect(composed != decomposed)
    #expect(try FormatExpression(parsing: "\u{e9}") != FormatExpression(parsing: "e\u{301}"))
  }

  @Test func parenthesesOpenEither() throws {
    #expect(try parse("(a) == (b)") == .compare(.key("a"), .equal, .key("b")))
    #expect(try parse("((a == b))") == .compare(.key("a"), .equal, .key("b")))
    #expect(try parse("(a + 1) * 2 > (3)").description == "(a + 1) * 2 > 3")
    #expect(try parse("((a + 1) > 2) AND b == 1").description == "a + 1 > 2 AND b == 1")
    #expect(
      try parse("(a).b == 1")
        == .compare(.path(from: .selfObject, [.key("a"), .key("b")]), .equal, .constant(.integer(1))))
  }

  @Test func deepNestingIsReadOrRefusedAtOnce() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a == 1" + String(repeating: ")", count: count)
    }
    #expect(try parse(nested(200)) == .compare(.key("a"), .equal, .constant(.integer(1))))
    let refused = #expect(throws: FormatError.self) { try parse(nested(100_000)) }
    #expect(refused?.reason == "nested more than 210 levels deep")
    for text in [
      "\(String(repeating: "!", count: 5000))a == 1", "a\(String(repeating: " + 1", count: 5000)) == 1",
    ] {
      #expect(throws: FormatError.self) { try parse(text) }
    }
    for opening in [
      "((((", "{", "f(", "-(", "SUBQUERY(", "TERNARY(", "a[", "CAST(", "1 ** ", "NOT (", "a == b AND (",
    ] {
      #expect(throws: FormatError.self) { try parse(String(repeating: opening, count: 10_000)) }
    }
    #expect(throws: FormatError.self) { try parse("a == '\(String(repeating: "x", count: 1 << 20))'") }
  }

  @Test func theDeepestTextFitsAStackOfFourMegabytes() async throws {
    let text = String(repeating: "TERNARY((", count: 49) + "a" + String(repeating: ") == 1, 1, 2)", count: 49)
    let deepest = text + " == 1"
    let read = await withCheckedContinuation { continuation in
      let thread = Thread {
        let result = Result {
          let predicate = try FormatPredicate(parsing: deepest)
          #expect(try FormatPredicate(parsing: predicate.description) == predicate)
          #expect(predicate.hashValue == predicate.hashValue)
          return try predicate.holds(in: EvaluationContext(object: .dictionary(["a": .integer(1)])))
        }
        continuation.resume(returning: result)
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    #expect(try read.get())
  }

  @Test func callsWithAndWithoutColons() throws {
    #expect(try FormatExpression(parsing: "sum(a)") == .function("sum:", [.key("a")]))
    #expect(
      try FormatExpression(parsing: "modulus:by:(a, 2)")
        == .function("modulus:by:", [.key("a"), .constant(.integer(2))]))
    #expect(try FormatExpression(parsing: "random()") == .function("random", []))
    #expect(try FormatExpression(parsing: "random(6)") == .function("random:", [.constant(.integer(6))]))
    #expect(
      try FormatExpression(parsing: "split(a, ',')")
        == .function("split", [.key("a"), .constant(.string(","))]))
  }

  @Test func argumentsStandForValuesAndKeyPaths() throws {
    let read = try parse(
      "%K == %@ AND %d < b.%K", [.string("a.@count"), .string("x"), .integer(3), .string("c.d")])
    #expect(read.description == "a.@count == \"x\" AND 3 < b.c.d")
    #expect(
      try parse("a IN %@", [.array([.integer(1)])])
        == .compare(.key("a"), .in, .aggregate([.constant(.integer(1))])))
    #expect(throws: FormatError.self) { try parse("a == %d", [.string("1")]) }
    #expect(throws: FormatError.self) { try parse("%K == 1", [.string("a..b")]) }
    #expect(throws: FormatError.self) { try parse("a == 1", [.string("left over")]) }
    #expect(throws: FormatError.self) { try parse("a == %@ AND b == %@", [.integer(1)]) }
  }
}
