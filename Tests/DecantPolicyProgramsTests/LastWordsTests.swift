import Testing

@testable import DecantPolicyPrograms

@Suite("The last lines that an ended process wrote") struct LastWordsTests {
  @Test func aBacktraceLeavesTheWordsBeforeItAndThreeFrames() {
    let name = String(repeating: "x", count: 400)
    let frames = (0..<48).map { "\($0)    libCore.so   0x00007f52a8 $s\(name) + \($0)" }
    let text =
      (["Policy.swift:7: Fatal error: never\r", "Current stack trace:"] + frames + ["", "\u{1b}[0mbye"])
      .joined(separator: "\n")
    let lines = LastWords.lines(of: text.utf8)
    #expect(lines.count == 7)
    #expect(lines.first == "Policy.swift:7: Fatal error: never")
    #expect(lines[2].hasPrefix("0    libCore.so") && lines[2].hasSuffix("x…") && lines[2].count < 250)
    #expect(lines[5...] == ["(45 further frames)", "[0mbye"])
  }

  @Test func ofABacktraceTheProgramsOwnFramesAreGiven() {
    let plain = """
      Policy.swift:1: Fatal error: never
      Current stack trace:
      0    libswiftCore.so                    0x00007f53d775f130 swift_reportError + 33
      1    libswiftCore.so                    0x00007f53d78f9280 _assertionFailure(_:_:file:line:flags:) + 221
      2    notas-worker                       0x0000555c2188cf33 <unavailable> + 3891
      3    notas-worker                       0x0000555c2188cf63 <unavailable> + 3939
      4    libFoundation.so                   0x00007f53d78f9280 <unavailable> + 221
      5    notas-worker                       0x0000555c2188ce86 <unavailable> + 3718
      6    notas-worker                       0x0000555c2188ce99 <unavailable> + 3719
      7    libc.so.6                          0x00007f53d7276280 __libc_start_main + 133
      """
    #expect(
      LastWords.lines(of: plain.utf8) == [
        "Policy.swift:1: Fatal error: never", "Current stack trace:",
        "2    notas-worker                       0x0000555c2188cf33 <unavailable> + 3891",
        "3    notas-worker                       0x0000555c2188cf63 <unavailable> + 3939",
        "5    notas-worker                       0x0000555c2188ce86 <unavailable> + 3718", "(5 further frames)",
      ])
    let named = """
      0      0x00007f1b798f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
      1 [ra] 0x000055befae4cf33 NotaPolicy.begin(_:) + 146 in notas-worker at /src/NotaPolicy.swift:12:3
      2 [ra] 0x00007f1b798f9361 __libc_start_main + 133 in libc.so.6
      """
    #expect(
      LastWords.lines(of: named.utf8) == [
        "1 [ra] 0x000055befae4cf33 NotaPolicy.begin(_:) + 146 in notas-worker at /src/NotaPolicy.swift:12:3",
        "(2 further frames)",
      ])
  }

  @Test func ofManyLinesTheLastAreGiven() {
    #expect(LastWords.lines(of: "a\nb\n\n c \nd".utf8, atMost: 2) == ["…", "c", "d"])
    #expect(LastWords.lines(of: "a\nb".utf8, atMost: 2) == ["a", "b"])
    #expect(LastWords.lines(of: "3 left of 0x10\n4 0x1\n5 0x2\n6 0x3\nend".utf8).contains("(1 further frame)"))
    #expect(LastWords.lines(of: [UInt8]()).isEmpty)
  }
}
