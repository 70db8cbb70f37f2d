import DecantModel
import Foundation
import PredicateFormat
import Testing

@testable import DecantPolicyPrograms

@Suite("Policy programs: lines of an answer") struct ProgramAnswerTests {
  private let shop: ProgramWorkshop

  init() throws { shop = try ProgramWorkshop() }

  private static func line(_ text: String, _ number: Int = 1) -> ProgramLines.Line {
    .init(number: number, bytes: Array(text.utf8))
  }

  /// The reader's error for a line, or nil if the line is accepted.
  private func fault(_ line: String) -> String? {
    var reader = ProgramAnswerReader(model: shop.model, number: 1, keys: [1, 2])
    do throws(ProgramAnswerReader.Fault) {
      _ = try reader.take(Self.line(line))
      return nil
    } catch {
      return switch error {
      case .notJSON(let problem): problem.words
      case .malformed(let problem, _): problem
      case .refused(let message): message
      }
    }
  }

  @Test(arguments: [
    ("[1]", "it is a list, where an object is wanted"),
    ("{}", "it has neither “entity” (an object) nor “from” (a link) nor “end”"),
    ("{\"entity\": \"Nobody\"}", "the destination model has no entity “Nobody”"),
    ("{\"entity\": 5}", "“entity” is the number 5, where an entity's name is wanted"),
    ("{\"entity\": \"Tag\", \"key\": 1}", "an object has no key “key”"),
    ("{\"entity\": \"Tag\", \"vlaues\": {}}", "an object has no key “vlaues”; perhaps “values” is meant"),
    ("{\"entity\": \"Tag\", \"source\": 9}", "the source object 9 isn't one of this batch"),
    (
      "{\"entity\": \"Tag\", \"source\": 1.5}",
      "“source” is the number 1.5, where a source object's key is wanted"
    ),
    (
      "{\"entity\": \"Tag\", \"source\": \"1\"}",
      "“source” is the text “1”, where a source object's key is wanted"
    ),
    ("{\"entity\": \"Tag\", \"values\": []}", "“values” is a list, where an object is wanted"),
    (
      "{\"entity\": \"Tag\", \"values\": {\"nome\": 1}}",
      "“Tag” has no attribute “nome”; perhaps “name” is meant"
    ),
    (
      "{\"entity\": \"Tag\", \"values\": {\"everythings\": 1}}",
      "“Tag.everythings” is a relationship: set it with a link"
    ),
    (
      "{\"entity\": \"Tag\", \"values\": {\"everything\": 1}}",
      "“Tag” has no attribute “everything”; perhaps the relationship “everythings” is meant, which a link sets"
    ),
    (
      "{\"entity\": \"Everything\", \"values\": {\"number\": 1}}",
      "“Everything.number” is derived from others and can't be set"
    ),
    (
      "{\"entity\": \"Tag\", \"values\": {\"name\": 5}}",
      "“Tag.name” is of type String, and takes a text, not the number 5"
    ),
    ("{\"entity\": \"Tag\", \"id\": true}", "“id” is true, where a text is wanted"),
    ("{\"entity\": \"Tag\", \"id\": 7}", "“id” is the number 7, where a text is wanted: \"7\""),
    (
      "{\"from\": {\"id\": \"a\"}, \"relationship\": \"everythings\", \"to\": {\"id\": 1.0}}",
      "“id” is the number 1.0, where a text is wanted: \"1.0\""
    ),
    (
      "{\"from\": {\"id\": \"a\"}, \"relationship\": \"nobody\", \"to\": {\"id\": \"b\"}}",
      "the destination model has no relationship “nobody”"
    ),
    (
      "{\"from\": {\"id\": \"a\"}, \"relationship\": \"everythngs\", \"to\": {\"id\": \"b\"}}",
      "the destination model has no relationship “everythngs”; perhaps “everythings” is meant"
    ),
    (
      "{\"from\": \"a\", \"relationship\": \"tags\", \"to\": {\"id\": \"b\"}}",
      "“from” has to be an object as {\"id\": …} or {\"source\": …, \"mapping\": …}"
    ),
    (
      "{\"from\": {\"id\": \"a\"}, \"relationship\": \"tags\"}",
      "“to” has to be an object as {\"id\": …} or {\"source\": …, \"mapping\": …}"
    ),
    (
      "{\"from\": {\"id\": \"a\", \"source\": 1}, \"relationship\": \"tags\", \"to\": {\"id\": \"b\"}}",
      "“from” has an “id” and something else"
    ),
    (
      "{\"from\": {}, \"relationship\": \"tags\", \"to\": {\"id\": \"b\"}}",
      "“from” has neither “id” nor “source”"
    ),
    ("{\"end\": true}", "“end” has to be the number of the batch, 1, and has to stand alone"),
    ("{\"end\": 1", "it isn't JSON: “,” or “}” is missing at byte 10"),
    ("{\"end\": 1, \"end\": 1}", "it isn't JSON: the key “end” is there twice at byte 20"),
    ("{\"end\": 01}", "it isn't JSON: a number is malformed at byte 11"),
    ("{\"end\": \"\\ud800\"}", "it isn't JSON: half of a surrogate pair stands alone at byte 16"),
    ("{\"end\": nul}", "it isn't JSON: a value is missing at byte 9"),
    ("{\"end\": \"\\x\"}", "it isn't JSON: there is no such escape at byte 12"),
    ("{\"end\": \"", "it isn't JSON: a text has no end at byte 10"),
    ("{} {}", "it isn't JSON: something follows the value at byte 4"),
    ("{\"a\": 1,}", "it isn't JSON: a key is missing at byte 9"),
  ])
  func aLineThatCanNotBeUsedIsExplained(line: String, problem: String) {
    #expect(fault(line) == problem)
  }

  @Test func nestingWithoutEndIsRefused() {
    #expect(
      fault(String(repeating: "[", count: 100_000))
        == "it isn't JSON: it is nested too deep at byte 17")
    #expect(fault(String(repeating: "{\"a\":", count: 100_000)) != nil)
  }

  @Test func bytesByChanceAreReadOrRefused() {
    var generator = SystemRandomNumberGenerator()
    let words = [
      "{", "}", "[", "]", "\"", ":", ",", "\\", "u12", "entity", "Tag", "-", "1e", "9", "\u{0}", "é", " ",
      "null",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in words.randomElement() ?? "" }
        .joined()
      _ = fault(text)
    }
  }

  @Test func whatIsRightComesThrough() throws {
    var reader = ProgramAnswerReader(model: shop.model, number: 1, keys: [1, 2])
    let lines = [
      "{\"entity\":\"Tag\"}",
      " { \"values\" : { \"name\" : \"\\u00e9\\ud83d\\udca1\" } , \"entity\" : \"Tag\", \"source\": 2, \"id\": \"7\" } ",
      "{\"from\":{\"id\":\"7\"},\"relationship\":\"everythings\",\"to\":{\"source\":-3,\"mapping\":null}}",
    ]
    for (index, line) in lines.enumerated() { #expect(try !reader.take(Self.line(line, index + 2))) }
    #expect(try reader.take(Self.line("{\"end\": 1}", 5)))
    #expect(
      reader.answer
        == PolicyProgramAnswer(
          objects: [
            .init(id: nil, source: nil, entity: "Tag", values: [:], line: 2),
            .init(id: "7", source: 2, entity: "Tag", values: ["name": .string("é💡")], line: 3),
          ],
          links: [
            .init(from: .made("7"), relationship: "everythings", to: .source(-3, mapping: nil), line: 4)
          ]))
  }

  @Test func valuesAreExactOrRefused() throws {
    func value(_ text: String, _ type: AttributeType) throws -> Value? {
      ProgramValue.value(try ProgramJSON(Array(text.utf8)), for: type)
    }
    #expect(try value("32767", .integer16) == .integer(32767))
    #expect(try value("32768", .integer16) == nil)
    #expect(try value("9223372036854775807", .integer64) == .integer(.max))
    #expect(try value("\"-9223372036854775808\"", .integer64) == .integer(.min))
    #expect(try value("9223372036854775808", .integer64) == nil)
    #expect(try value("5.0", .integer32) == .integer(5))
    #expect(try value("5.5", .integer32) == nil)
    #expect(try value("1e400", .double) == nil)
    #expect(try value("\"nan\"", .double) == .null)
    #expect(try value("\"inf\"", .float) == .double(.infinity))
    #expect(try value("1e300", .float) == nil)
    #expect(
      try value("12345678901234567890.123456789", .decimal)
        == .decimal(Decimal(string: "12345678901234567890.123456789") ?? 0))
    #expect(try value("\"0.10\"", .decimal) == .decimal(Decimal(string: "0.1") ?? 0))
    #expect(try value("\"nan\"", .decimal) == nil)
    #expect(try value("1e999999999", .decimal) == nil)
    #expect(try value("1", .boolean) == .boolean(true))
    #expect(try value("2", .boolean) == nil)
    #expect(try value("true", .integer16) == nil)
    #expect(try value("\"AAH/\"", .binary) == .data(Data([0, 1, 255])))
    #expect(try value("\"AAH\"", .binary) == nil)
    #expect(try value("\"8C2B\"", .uuid) == nil)
    #expect(try value("{}", .string) == nil)
    #expect(try value("5", .composite) == nil)
    for type in AttributeType.allCases { #expect(try value("null", type) == .null) }
  }

  @Test(
    arguments: [
      ("2001-01-01T00:00:00Z", 0.0), ("2001-01-01T01:00:00+01:00", 0), ("2000-12-31T19:00:00.5-0500", 0.5),
      ("2024-02-29 12:00:00Z", 730_900_800), ("1970-01-01T00:00:00Z", -978_307_200),
      ("0001-01-01T00:00:00Z", -63_113_904_000),
      ("9999-12-31T23:59:59Z", 252_423_993_599), ("2001-02-29T00:00:00Z", nil), ("2001-13-01T00:00:00Z", nil),
      ("2001-01-01T00:00:00", nil), ("2001-01-01", nil), ("0000-01-01T00:00:00Z", nil),
      ("2001-01-01T24:00:00Z", nil),
      ("", nil), ("2001-01-01T00:00:00Zz", nil), ("٢٠٠١-01-01T00:00:00Z", nil),
    ] as [(String, Double?)])
  func datesAsTexts(text: String, seconds: Double?) {
    #expect(ProgramDate.seconds(text) == seconds)
  }

  @Test func whatIsNotUTF8IsRefusedWithItsPlace() {
    let head = Array("{\"entity\": \"Tag\", \"values\": {\"name\": \"é".utf8)
    let tail = Array("\"}}".utf8)
    // An impossible byte, a lone continuation byte, half a character, a surrogate, an overlong form, a number above
    // Unicode's last one, and two thirds of a character.
    for bytes in [
      [0xff], [0x80], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82],
    ] as [[UInt8]] {
      #expect(throws: ProgramJSON.Problem(words: "it isn't UTF-8 at byte 41", place: 40)) {
        _ = try ProgramJSON(head + bytes + tail)
      }
    }
  }

  @Test func aLongLineIsQuotedAroundItsFault() {
    let long = String(repeating: "é", count: 500)
    func quote(_ line: String, _ keys: [String]) -> String {
      var reader = ProgramJSONReader(bytes: Array(line.utf8))
      let place = try? reader.place(of: keys[...])
      return ProgramQuote.text(Array(line.utf8), around: place?.lowerBound ?? 0)
    }
    let quoted = quote(
      "{\"entity\": \"Tag\", \"values\": {\"text\": \"\(long)\", \"name\": 77}}", ["values", "name"])
    #expect(quoted.hasPrefix("…é") && quoted.hasSuffix("é\", \"name\": 77}}"), "\(quoted)")
    let early = quote("{\"entity\": 77, \"values\": {\"text\": \"\(long)\"}}", ["entity"])
    #expect(early.hasPrefix("{\"entity\": 77, ") && early.hasSuffix("é…"), "\(early)")
    #expect(quote("{\"entity\": 77}", ["nothing"]) == "{\"entity\": 77}")
    #expect(ProgramQuote.text([0x61, 0xff, 0x09, 0xc3, 0xa9]) == "a\\xFF\\x09é")
  }
}
