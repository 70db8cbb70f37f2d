import Foundation
import Testing

@testable import DecantModel

@Suite("JSON5: settings, requests and headers of mapping models") struct JSON5ReaderTests {
  private func value(_ text: String) throws -> JSON5Value { try JSON5Value.parse(Data(text.utf8)) }

  private func problem(_ data: Data) -> String? {
    do throws(JSON5Problem) {
      _ = try JSON5Value.parse(data)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func everythingThatJSON5Allows() throws {
    let text = """
      // a comment
      { plain: 1, $a_1: "x", 'quoted key': 'it\\'s', "é": [true, false, null, ], /* another */
        hex: 0xFf, minus: -0x10, plus: +3, half: .5, whole: 5., power: 1.5e3, negative: -2.25,
        long: "one \\
      line", escapes: "\\b\\f\\n\\r\\t\\v\\x41\\u00e9\\ud83d\\ude00\\q", \\u0061b: {}, }
      """
    let object = try #require(try value(text).object)
    #expect(object["plain"] == .integer(1))
    #expect(object["$a_1"] == .string("x"))
    #expect(object["quoted key"] == .string("it's"))
    #expect(object["é"] == .array([.boolean(true), .boolean(false), .null]))
    #expect(object["hex"] == .integer(255))
    #expect(object["minus"] == .integer(-16))
    #expect(object["plus"] == .integer(3))
    #expect(object["half"] == .number(0.5))
    #expect(object["whole"] == .integer(5))
    #expect(object["power"] == .integer(1500))
    #expect(object["negative"] == .number(-2.25))
    #expect(object["long"] == .string("one line"))
    #expect(object["escapes"] == .string("\u{8}\u{c}\n\r\t\u{b}Aé😀q"))
    #expect(object["ab"] == .object([:]))
  }

  @Test(arguments: [
    ("", "line 1, column 1: a value is missing; there is the end of the text"),
    ("{", "line 1, column 2: a key or “}” is missing; there is the end of the text"),
    ("{ a 1 }", "line 1, column 5: “:” is missing after “a”; there is “1”"),
    ("{ a: 1\n  b: 2 }", "line 2, column 3: “,” or “}” is missing; there is “b”"),
    ("[1 2]", "line 1, column 4: “,” or “]” is missing; there is “2”"),
    ("{ a: 1, a: 2 }", "line 1, column 9: the key “a” is there twice"),
    ("nonsense", "line 1, column 1: a text must be in quotes: “nonsense”"),
    ("Infinity", "line 1, column 1: Infinity isn't a number that can be used here"),
    ("-Infinity", "line 1, column 1: a number can't be read or is too large"),
    ("NaN", "line 1, column 1: NaN isn't a number that can be used here"),
    ("012", "line 1, column 1: a number can't be read or is too large"),
    ("1e999", "line 1, column 1: a number can't be read or is too large"),
    ("0x", "line 1, column 1: a number can't be read or is too large"),
    ("1.2.3", "line 1, column 1: a number can't be read or is too large"),
    ("\"a\nb\"", "line 1, column 1: a text in quotes has no end"),
    ("[\n\"a\0b\"]", "line 2, column 3: a text can't hold NUL"),
    ("'\\u12'", "line 1, column 6: an escape needs 4 hexadecimal digits"),
    ("'\\ud800x'", "line 1, column 8: \\u is half of a pair; the other half is missing"),
    ("'\\u0000'", "line 1, column 8: a text can't hold NUL"),
    ("'\\1'", "line 1, column 3: there is no escape “\\1”"),
    ("{} /* x", "line 1, column 4: a comment has no end “*/”"),
    ("{} {}", "line 1, column 4: there is “{” after the end of the value"),
    ("\u{0}", "line 1, column 1: a value is missing; there is a control character"),
  ])
  func whatItRefusesIsToldWithItsPlace(text: String, expected: String) {
    #expect(problem(Data(text.utf8)) == expected)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    let name = Data("{Na".utf8) + [0xfe] + Data(" \"to\"}".utf8)
    #expect(problem(name) == "the text isn't UTF-8")
    #expect(problem(Data([0xff, 0xfe, 0x7b, 0, 0x7d, 0])) == "the text isn't UTF-8")
    #expect(problem(Data([0xed, 0xa0, 0x80])) == "the text isn't UTF-8")
  }

  @Test func depthAndSizeAreBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(problem(Data(deep.utf8))?.hasSuffix("lists and objects are nested deeper than 64") == true)
    let fits = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(problem(Data(fits.utf8)) == nil)
    #expect(problem(Data(count: (4 << 20) + 1)) == "the text is longer than 4 MiB")
  }

  /// Twenty thousand damaged texts from a fixed seed are read or refused, and none ends the process.
  @Test func noDamageEndsTheProcess() {
    let seeds = [
      "{ to: 'Notas 2', family: \"Notas\", priority: -7, } // x",
      "[0x1F, +.5e-3, -1., 'a\\u00e9\\x41\\\n', [], {}]",
      "/* é */ {\\u0061: [[1,2],], \"k\": null, t: true, f: false}",
    ].map { Array($0.utf8) }
    let spice =
      Array("{}[]:,'\"\\/*+-.0x1eEuaIN\n\r\t ".utf8) + [
        0, 0x7f, 0x80, 0xbf, 0xc0, 0xe2, 0xed, 0xf4, 0xfe, 0xff,
      ]
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var (read, refused) = (0, 0)
    for _ in 0..<20_000 {
      var bytes = seeds[random(seeds.count)]
      for _ in 0...random(4) {
        let place = random(bytes.count + 1)
        switch random(4) {
        case 0: bytes.insert(spice[random(spice.count)], at: place)
        case 1 where place < bytes.count: bytes[place] = UInt8(random(256))
        case 2 where place < bytes.count: bytes.remove(at: place)
        default: bytes.removeLast(min(bytes.count, random(6)))
        }
      }
      if problem(Data(bytes)) == nil { read += 1 } else { refused += 1 }
    }
    #expect(read > 100 && refused > 100)
  }
}
