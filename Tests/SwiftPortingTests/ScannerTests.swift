import Testing

@testable import SwiftPorting

@Suite("Tokens of Swift code")
struct ScannerTests {
  private func words(_ text: String) -> [String] {
    let code = SwiftCode(Array(text.utf8))
    return code.tokens.indices.compactMap { code.name(at: $0) }
  }

  @Test("names in comments, strings and regular expressions don't count; names in interpolations do")
  func hidden() {
    #expect(words("a // b\nc /* d /* e */ f */ g") == ["a", "c", "g"])
    #expect(words(#"a "b \" c" d "e \(f + g("h \(i)")) j" k"#) == ["a", "d", "f", "g", "i", "k"])
    #expect(words("a \"\"\"\n b \" c \"\" \\(d)\n \"\"\" e") == ["a", "d", "e"])
    #expect(words(##"a #"b " \(c) \#(d) "# e"##) == ["a", "d", "e"])
    #expect(words("let a = /b\"c/\nd") == ["let", "a", "d"])
    #expect(words("a #/b \"\n c/# d") == ["a", "d"])
    #expect(words("a / b / c \"d\"") == ["a", "b", "c"])
    #expect(words("`class` ñandú $0 1.5e3 0..<5 x1") == ["class", "ñandú", "$0", "x1"])
    #expect(words(##"#"""# a"##) == ["a"])
  }

  @Test(
    "every byte is part of one token, also in code that isn't complete",
    arguments: [
      "\"a \\(b", "/* a", "\"\"\"\n a", "#\"a", "`a", "\"a\nb", "\\", "#", "\"\\(\"", "a)b]}", "/", "#/",
      "\u{FEFF}a", "",
      "\"\\", "\"\\(a)\\(", "\r\n\"\r\n",
    ])
  func incomplete(text: String) {
    let bytes = Array(text.utf8)
    let tokens = SwiftScanner.tokens(of: bytes)
    var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for token in tokens {
      #expect(token.range.lowerBound == place && !token.range.isEmpty)
      place = token.range.upperBound
    }
    #expect(place == bytes.count)
  }

  @Test("the scanner ends with any bytes, and its tokens cover all of them", arguments: 0..<40)
  func random(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    let alphabet = Array("\"\"\"\\()#/*`\n\r a@{}[]".utf8)
    let bytes = (0..<500).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return alphabet[Int(state >> 33) % alphabet.count]
    }
    #expect(SwiftScanner.tokens(of: bytes).map(\.range.count).reduce(0, +) == bytes.count)
    let plan = PortPlan([AppSource(path: "a.swift", bytes: Array("import CoreData\n@NSManaged ".utf8) + bytes)])
    #expect(plan.files.count <= 1)
  }

  @Test("lines are counted for each kind of line end")
  func lines() {
    for (text, end) in [("a\nb\nc", "\n"), ("a\r\nb\r\nc", "\r\n"), ("a\rb\rc", "\r")] {
      let code = SwiftCode(Array(text.utf8))
      #expect(code.tokens.map { code.line(at: $0.range.lowerBound) } == [1, 2, 3])
      #expect(code.lineEnd == end)
    }
  }
}
