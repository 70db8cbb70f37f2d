import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole

@Suite("decant top")
struct TopScreenTests {
  private func lines(
    _ width: Int, _ height: Int, trouble: String? = nil, _ change: (inout DaemonStatus) -> Void = { _ in }
  ) throws -> [String] {
    TopScreen(try SampleStatus.values(change), width: width, height: height, trouble: trouble).lines.map(\.text)
  }

  @Test("at 80 columns: state, counts, each job with a bar for each pass, the last results")
  func whole() throws {
    #expect(
      try lines(80, 24).joined(separator: "\n") == """
        decantd 9.9.9, ready, up 2 h 10 min
        2 running, 1,200 queued, 1 waiting, 1 blocked, 20 done, 2 failed
        all jobs done in about 2 min 05 s
        [!] incoming: 1 drop can't be taken; others are taken

        Notas.sqlite               [##########--------------]  42 %  12 s left
          pass 1                   [########################] 100 %
          pass 2 StepTwo           [#######-----------------]  30 %  5.2 s left
          pass 3                   [------------------------]   0 %
          job J-7, drop “Notas”, family “Notas”, 70.0 MiB, for 10 s, attempt 2
          “Notas” to “Notas 2”
          create NotaToCategoria, chunk 3 of 12, where categoria != nil
          168,000 of 400,000 source objects read, 31,000 rows read/s, memory 61.0 MiB,
          peak 93.0 MiB
        Otra.sqlite                [------------------------]   0 %
          job J-8, drop “Otra”, 100 bytes, for 0.1 s
          checking the store

        Last results:
          failed  Letter  not-sqlite  The file isn't an SQLite database.
          done    Old  3.3 s
        q quits
        """)
  }

  @Test("with any size, no line is too wide, there aren't too many lines, and the footer is last")
  func sizes() throws {
    for width in [1, 2, 10, 20, 39, 40, 41, 79, 80, 81, 120, 300] {
      for height in [1, 2, 3, 5, 8, 12, 16, 24, 60] {
        let lines = try lines(width, height)
        #expect(lines.count <= height)
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= width }, "\(width)×\(height): \(lines)")
        if width >= 10 { #expect(lines.last == "q quits") }
      }
    }
  }

  @Test("40 columns still show bars and times")
  func narrow() throws {
    let lines = try lines(40, 24)
    #expect(lines.contains("Notas.sqlite  [####------]  42 %  12 s …") == false, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Notas.sqlite") && $0.contains("42 %  12 s left") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("  pass 2 Ste") && $0.contains("30 %") }, "\(lines)")
  }

  @Test("a low screen shows less of each job before it omits a job")
  func low() throws {
    let bars = try lines(80, 12)
    #expect(bars.contains { $0.hasPrefix("  pass 3") } && !bars.contains { $0.hasPrefix("  job J-7") })
    let short = try lines(80, 8)
    #expect(short.contains { $0.hasPrefix("Otra.sqlite") } && !short.contains { $0.hasPrefix("  pass") })
    let many = try lines(80, 10) { status in
      let job = status.running?.last
      status.running = (0..<40).compactMap { number in
        var copy = job
        copy?.store = "s\(number)"
        return copy
      }
    }
    #expect(many.contains { $0.hasPrefix("s2 ") } && many.contains("and 37 more"), "\(many)")
  }

  @Test("if the daemon doesn't answer, the last status stays with a line that says so")
  func trouble() throws {
    let lines = try lines(80, 24, trouble: "no \u{1b}answer")
    #expect(lines[1] == "[-] no \\u{1b}answer")
  }

  @Test("a colour is for a whole line, and can be switched off")
  func colour() {
    #expect(TopLine("a", .bad).bytes(inColour: true) == "\u{1b}[31ma\u{1b}[0m")
    #expect(TopLine("a", .bad).bytes(inColour: false) == "a")
    #expect(TopLine("a").bytes(inColour: true) == "a")
  }

  @Test("without a terminal, top prints plain lines once")
  func plain() throws {
    let folder = try TemporaryFolder()
    let server = SocketServer(folder.path("h"), status: SampleStatus.json)
    defer { server.stop() }
    let run = Captured(["top", "--socket", folder.path("h")])
    #expect(run.code == 0 && run.messages.isEmpty)
    #expect(
      run.output == """
        decantd ready: 2 running, 1200 queued, 1 waiting, 1 blocked, 20 done, 2 failed, about 2 min 05 s left
        J-7 Notas.sqlite: 42 %, “Notas” to “Notas 2”, pass 2 of 3, “StepTwo”, about 5.2 s left of it (30 %), create \
        NotaToCategoria, chunk 3 of 12, where categoria != nil, 168,000 of 400,000 source objects read, 31,000 rows read/s, memory \
        61.0 MiB, peak 93.0 MiB, about 12 s left
        J-8 Otra.sqlite: 0 %, checking the store

        """)
    #expect(Captured(["top", "--socket", folder.path("none")]).code == 69)
    #expect(Captured(["top", "--socket", folder.path("none")], isTerminal: true).code == 69)
    #expect(Captured(["top", "--interval", "0"]).code == 64)
  }
}
