import Testing

@testable import DecantMigration

@Suite("Last words and places of a process that ended") struct LastWordsTests {
  @Test func aBacktraceLeavesTheWordsBeforeItAndTwoFrames() {
    let name = String(repeating: "x", count: 400)
    let frames = (0..<48).map { "\($0)    libCore.so   0x00007f52a8 $s\(name) + \($0)" }
    let text =
      (["Policy.swift:7: Fatal error: never\r", "Current stack trace:"] + frames + ["", "\u{1b}[0mbye"])
      .joined(separator: "\n")
    let lines = LastWords.lines(of: text.utf8)
    #expect(lines.count == 6)
    #expect(lines.first == "Policy.swift:7: Fatal error: never")
    #expect(lines[2].hasPrefix("0    libCore.so") && lines[2].hasSuffix("x…") && lines[2].count < 250)
    #expect(lines[4...] == ["(46 further frames)", "[0mbye"])
  }

  @Test func ofManyLinesTheLastAreGiven() {
    #expect(LastWords.lines(of: "a\nb\n\n c \nd".utf8, atMost: 2) == ["…", "c", "d"])
    #expect(LastWords.lines(of: "a\nb".utf8, atMost: 2) == ["a", "b"])
    #expect(LastWords.lines(of: "3 left of 0x10\n4 0x1\n5 0x2\nend".utf8).contains("(1 further frame)"))
    #expect(LastWords.lines(of: [UInt8]()).isEmpty)
  }

  @Test func aPlaceIsReadAsItWasWritten() {
    let place = WorkPlace(
      pass: "Uno", entityMapping: "NotaToNota", policy: "NotaPolicy", method: "begin", object: "Nota/p1")
    // What a longer record left behind is of no concern.
    #expect(WorkPlace(record: place.record + Array("left over\n".utf8)) == place)
    let bare = WorkPlace(pass: "a\u{1f}b\nc", entityMapping: "é")
    #expect(WorkPlace(record: bare.record) == WorkPlace(pass: "a b c", entityMapping: "é"))
    #expect(WorkPlace(record: WorkPlace.nowhere) == nil && WorkPlace(record: [UInt8]()) == nil)
    let long = WorkPlace(pass: String(repeating: "x", count: 100_000), entityMapping: "m")
    #expect(long.record.count <= WorkPlace.recordLimit)
    #expect(WorkPlace(record: long.record)?.entityMapping == "m")
  }
}
