import Foundation
import PredicateFormat
import Testing

@testable import DecantStore

/// Evaluates Decant's own functions over the same rows by SQL and by the evaluator.
@Suite struct LibraryTests {
  @Test func thePageNamesEveryFunctionAsItIsCalled() throws {
    let page = try FunctionsPage()
    #expect(page.signatures.sorted() == Library.all.map(\.signature).sorted())
    for function in Library.all {
      #expect(
        page.examples.contains { $0.expression.contains("\(function.name)(") }, "no example of \(function.name)"
      )
    }
  }

  @Test func theExamplesOfThePageGiveWhatItSaysBothWays() throws {
    let page = try FunctionsPage()
    #expect(page.examples.count > 80)
    let store = try ExpressionStore(seed: 1, rowsPerEntity: 1)
    var tally = ExpressionStore.Tally()
    let object = Value.object(ObjectReference(store.rows.object(entity: "Author", key: 1)))
    let context = EvaluationContext(object: object, now: ExpressionStore.now, functions: .library)
    for (text, result) in page.examples {
      let expression = try FormatExpression(parsing: text)
      let wanted = try FormatExpression(parsing: result).value(in: context)
      #expect(try expression.value(in: context) == wanted, "\(text)")
      #expect(try FormatExpression(parsing: expression.description) == expression)
      #expect(throws: ArchivingError.self, "\(text)") { try expression.archived() }
      try store.value(text, of: "Author", &tally)
    }
    #expect(tally.disagreements.isEmpty, "\(tally.disagreements.joined(separator: "\n"))")
    #expect(tally.refused.isEmpty)
    #expect(tally.errors == 0 && tally.rows >= page.examples.count)
  }

  private func agree(_ texts: [String], of entity: String = "Note") throws -> ExpressionStore.Tally {
    var tally = ExpressionStore.Tally()
    for seed: UInt64 in [3, 4] {
      let store = try ExpressionStore(seed: seed, rowsPerEntity: 12)
      for text in texts { try store.value(text, of: entity, &tally) }
    }
    #expect(tally.disagreements.isEmpty, "\(tally.disagreements.joined(separator: "\n"))")
    #expect(tally.refused.isEmpty)
    #expect(tally.rows > texts.count)
    return tally
  }

  @Test func everyFunctionOverRowsWithNilAndOddTexts() throws {
    let tally = try agree([
      "split(text, 'a', 0)", "split(text, 'a', small)", "split(text, other, -1)", "split(text, ' ', -2)",
      "join('-', text, other, author.name)", "join(other, text, passing)", "join(', ', comments.text)",
      "join(text, lines.text, comments.text)", "word(text, small)", "firstWord(text)",
      "lastWord(text)", "trim(text)", "trim(text, other)", "prefix(text, small)", "prefix(text, large)",
      "suffix(text, small)", "suffix(text, large)", "substring(text, small, 2)", "substring(text, large)",
      "substring(text, small, small)", "characterCount(text)", "normalise(text)", "replace(text, other, 'x')",
      "replace(text, 'a', other)", "replacePattern(text, '[aä]', '<$0>')", "replacePattern(text, other, '$1')",
      "replacePattern(text, '(.)', other)", "extract(text, '[a-z]+')", "extract(text, '(a)|(b)', small)",
      "upper(text)", "lower(text)", "capitalise(text)", "upper(text, 'tr')", "lower(text, 'tr')",
      "capitalise(text, 'nl')", "upper(text, other)", "fold(text)", "padStart(text, 6, other)",
      "padEnd(text, small)", "formatNumber(real, 2)", "formatNumber(price, small)",
      "formatNumber(large, 1, 'es')",
      "formatNumber(flag, 0)", "formatNumber(single, 30)", "parseNumber(text)", "parseNumber(other, 'de')",
      "parseNumber(formatNumber(price, 3, 'es'), 'es')", "formatDate(moment, 'yyyy-MM-dd HH:mm:ss.SSS')",
      "formatDate(later, 'EEEE d MMMM y', 'es_MX', 'America/Mexico_City')", "parseDate(text, 'yyyy-MM-dd')",
      "parseDate(formatDate(moment, 'yyyy-MM-dd HH:mm:ss.SSS'), 'yyyy-MM-dd HH:mm:ss.SSS')",
      "formatDate(moment, text)", "coalesce(text, other, 'none')", "coalesce(real, small, moment)",
      "coalesce(price)", "coalesce(identifier, link, bytes)", "ifEmpty(text, other)", "ifEmpty(text, 3)",
      "nilIfEmpty(text)", "sha256(text)", "sha256(bytes)", "hash64(text)", "hash64(outside)", "uuid()",
      "uuid(text, small, moment)", "stableUUID(text, other)", "stableUUID(price, real, flag, identifier, link)",
      "stableUUID(bytes)", "parseUUID(text)", "parseUUID(CAST(identifier, 'NSString'))",
    ])
    #expect(tally.errors > 0 && tally.errors * 4 < tally.rows)
  }

  @Test func objectsAreLeftToTheRowByRowPath() throws {
    let store = try ExpressionStore(seed: 5, rowsPerEntity: 1)
    var tally = ExpressionStore.Tally()
    for text in ["join('', comments)", "stableUUID(SELF)", "coalesce(author, folder)"] {
      try store.value(text, of: "Note", &tally)
    }
    #expect(tally.refused.values.reduce(0, +) == 3 && tally.rows == 0)
  }

  @Test func inFiltersToo() throws {
    let store = try ExpressionStore(seed: 5, rowsPerEntity: 12)
    var tally = ExpressionStore.Tally()
    for text in [
      "characterCount(text) > 2 AND upper(text) BEGINSWITH 'A'", "split(text, 'b', 1) != nil",
      "lower(prefix(text, 1)) BETWEEN {'a', 'm'}", "parseNumber(text) > 3", "uuid() != nil",
      "fold(text) IN {fold('ABC'), fold('ärger')}", "ANY comments.text == trim(text)",
      "SUBQUERY(comments, $source, uuid() == nil).@count == 0", "formatDate(moment, 'yyyy') == '2001'",
    ] {
      try store.condition(text, of: "Note", &tally)
    }
    #expect(tally.disagreements.isEmpty, "\(tally.disagreements.joined(separator: "\n"))")
    #expect(tally.refused.isEmpty && tally.errors == 0)
    #expect(tally.negatives > 0 && tally.negatives < tally.rows)
  }

  @Test func hostileArgumentsEndInErrorsOrInNilBothWays() throws {
    let tally = try agree(
      [
        "split(name, 'a', -9223372036854775807 - 1)", "split(name, 'a', 9223372036854775807)",
        "split(name, 'a', 1.5)",
        "prefix(name, -9223372036854775807 - 1)", "suffix('abc', 9223372036854775807)",
        "substring('abc', 9223372036854775807, 9223372036854775807)", "substring('abc', 0, -1)",
        "padStart('a', 1000000000)", "padStart('a', -1)", "padEnd('a', 5, '')",
        "replace(padEnd('', 10000, 'a'), 'a', padEnd('', 10000, 'b'))",
        "replacePattern(padEnd('', 10000, 'a'), 'a', padEnd('', 10000, 'b'))",
        "replacePattern('abc', '(', 'x')", "replacePattern('abc', 'b', '$9\\\\$$')",
        "extract('abc', '(b)', 99)",
        "extract('abc', '(b)', 100)", "upper('a', 'xx_NOWHERE')", "upper('a', '')", "formatNumber(1, 31)",
        "formatNumber(1, -1)", "formatNumber(1e300, 2)", "formatNumber(1e300, 2, 'es')",
        "formatNumber(CAST('1e127', 'NSDecimalNumber'), 30)", "parseNumber(padEnd('', 5000, '9'))",
        "parseNumber('1e999')", "parseNumber('nan')", "parseNumber('.')", "parseNumber('1,2,3', 'en_US_POSIX')",
        "parseNumber('0x10')", "formatDate(CAST(1e300, 'NSDate'), 'yyyy')",
        "formatDate(CAST(0, 'NSDate'), 'none')", "parseDate('1 May 2001', 'long')",
        "formatDate(CAST(0, 'NSDate'), '')", "formatDate(CAST(0, 'NSDate'), padEnd('', 201, 'y'))",
        "formatDate(CAST(0, 'NSDate'), 'yyyy', 'es', 'Mars/Olympus')",
        "parseDate(padEnd('', 5000, '1'), 'yyyy')",
        "formatDate(CAST(0, 'NSDate'), 'yyyy', 'es', '../../etc/passwd')", "split('a')", "trim()", "coalesce()",
        "uuid({1, 2})", "sha256(5)", "join(', ', {'a', 5})", "trim(name, name, name)",
      ], of: "Author")
    #expect(tally.errors * 3 > tally.rows)
  }

  @Test("formatDate takes dates in the years 1 to 9999, and gives nil for others")
  func years() throws {
    for (seconds, text) in [
      ("-63114076800", "0001"), ("-63114076801", nil), ("252423993599", "9999"), ("252423993600", nil),
    ] {
      let expression = try FormatExpression(parsing: "formatDate(CAST(\(seconds), 'NSDate'), 'yyyy')")
      let value = try expression.value(in: EvaluationContext(functions: .library))
      #expect(value == text.map { .string($0) } ?? .null, "\(seconds)")
    }
  }

  @Test(arguments: [
    ("$1-$2", "b-c"), ("$0", "abcd"), ("$12", "b2"), ("$9", ""), ("\\\\$1", "$1"), ("$", "$"), ("$x", "$x"),
    ("\\\\", "\\"), ("💡$3", "💡"), ("$2$2", "cc"),
  ])
  func whatStandsForGroups(template: String, result: String) throws {
    let expression = try FormatExpression(parsing: "replacePattern('abcd', 'a(b)(c)(x)?d', '\(template)')")
    #expect(try expression.value(in: EvaluationContext(functions: .library)) == .string(result))
  }

  @Test(
    arguments: [
      ("-7\u{308}-7\u{308}-7", "yyyy-MM-dd", "en_US_POSIX", nil), ("2001\u{308}", "yyyy", "en_US_POSIX", nil),
      ("\u{308}", "yyyy", "en_US_POSIX", nil), ("मा", "MMMMM", "hi", nil),
      ("2 मार्च 2001", "d MMMM yyyy", "hi", 5_184_000),
      ("٠٢/٠١/٢٠٠١", "dd/MM/yyyy", "ar_EG", 86_400), ("2 JANV. 2001", "d MMM yyyy", "fr", 86_400),
      ("2001-01-02 24:00", "yyyy-MM-dd HH:mm", "en_US_POSIX", nil),
      ("2001-01-02 24:00", "yyyy-MM-dd kk:mm", "en_US_POSIX", 86_400),
      ("Monday 2 January 2001", "EEEE d MMMM yyyy", "en_US_POSIX", nil), ("5:00", "h:mm", "en_US_POSIX", nil),
      ("12:05 am", "h:mm a", "en_US_POSIX", -31_622_100), ("2001'1", "yyyy''M", "en_US_POSIX", 0),
      ("GMT+2 2001", "z yyyy", "en_US_POSIX", -7_200), ("+19:00 2001", "Z yyyy", "en_US_POSIX", nil),
      ("99999", "yyyy", "en_US_POSIX", nil), ("0000", "yyyy", "en_US_POSIX", nil),
      ("2001 ", "yyyy", "en_US_POSIX", nil),
      ("", "yyyy", "en_US_POSIX", nil), ("", "''", "en_US_POSIX", nil),
    ] as [(String, String, String, Double?)])
  func datesAreReadWholeOrNotAtAll(text: String, pattern: String, locale: String, seconds: Double?) throws {
    let expression = FormatExpression.call(
      "parseDate", [text, pattern, locale].map { .constant(.string($0)) })
    let wanted = seconds.map(Value.date) ?? .null
    #expect(try expression.value(in: EvaluationContext(functions: .library)) == wanted)
  }

  @Test func aPatternThatDoesNotComeToAnEndIsAnErrorInstead() throws {
    let expression = try FormatExpression(
      parsing: "replacePattern('\(String(repeating: "a", count: 40))', '(a+)+b', '')")
    let error = #expect(throws: EvaluationError.self) {
      try expression.value(in: EvaluationContext(functions: .library))
    }
    #expect(error.map { "\($0.reason)" } == "matching “(a+)+b” takes too many steps or too much memory")
  }

  @Test func identifiersAreTheSameForAJobAndObjectAndDifferentForOthers() throws {
    let store = try ExpressionStore(seed: 1, rowsPerEntity: 2)
    func identifier(_ text: String, _ entity: String, _ key: Int64, job: String) throws -> Value {
      let object = Value.object(ObjectReference(store.rows.object(entity: entity, key: key)))
      return try FormatExpression(parsing: text).value(
        in: EvaluationContext(object: object, variables: ["source": object], job: job, functions: .library))
    }
    let one = try identifier("uuid()", "Author", 1, job: "a")
    #expect(one == (try identifier("uuid()", "Author", 1, job: "a")))
    let others = [
      try identifier("uuid()", "Author", 2, job: "a"), try identifier("uuid()", "Tag", 1, job: "a"),
      try identifier("uuid()", "Author", 1, job: "b"), try identifier("uuid('x')", "Author", 1, job: "a"),
      try identifier("uuid(nil)", "Author", 1, job: "a"), try identifier("uuid('')", "Author", 1, job: "a"),
    ]
    #expect(Set(others + [one]).count == 7)
    #expect(throws: EvaluationError.self) {
      try FormatExpression(parsing: "uuid()").value(in: EvaluationContext(job: "a", functions: .library))
    }
  }
}
