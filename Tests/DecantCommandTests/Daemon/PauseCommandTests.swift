import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("decant pause, decant resume, and decant retry of an unfinished job")
struct PauseCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let paused = """
    {"version":"9","state":"running","pause":{"since":"2026-11-26T03:50:00.000Z","stopsJobs":false},
    "jobs":{"running":2},"workers":{"configured":2,"busy":2,"nice":5,"ioPriority":"idle"},
    "checks":[{"name":"pause","ok":false,"message":"paused since 2026-11-26T03:50:00.000Z"}]}
    """
  private static let stopped = paused.replacing("\"running\":2", with: "\"running\":0")
  private static let open = #"{"version":"9","state":"running","jobs":{},"checks":[]}"#

  private func asked(_ arguments: [String], _ statuses: [String]) -> (Captured, String) {
    let server = SocketServer(folder.path("h"), statuses: statuses)
    defer {
      server.stop()
      unlink(folder.path("h"))
    }
    let run = Captured(arguments + ["--socket", folder.path("h")])
    return (run, server.request)
  }

  @Test("pause says what continues, and with --stop-jobs it waits until no job runs")
  func pause() {
    let (run, _) = asked(["pause"], ["", Self.open, Self.paused])
    #expect(run.code == 0 && run.output.isEmpty)
    #expect(run.messages == "decant: The daemon is paused. 2 running jobs go on.\n")
    let (stopping, _) = asked(["pause", "--stop-jobs"], ["", Self.open, Self.paused, Self.stopped])
    #expect(
      stopping.code == 0 && stopping.messages.hasSuffix("decant: The daemon is paused.\n"),
      "\(stopping.messages)")
    let (_, request) = asked(["pause", "--stop-jobs", "--quiet"], [""])
    #expect(request.hasPrefix("GET /status") || request.hasPrefix("POST /pause?stop-jobs HTTP/1.1"))
    #expect(Captured(["pause", "--socket", folder.path("none")]).code == 69)
  }

  @Test("resume waits for the end of the pause")
  func resume() {
    let (run, _) = asked(["resume"], ["", Self.paused, Self.open])
    #expect(run.code == 0 && run.messages == "decant: The daemon goes on.\n", "\(run.messages)")
  }

  @Test("status and top say that the daemon is paused, and since when")
  func screens() {
    let (run, _) = asked(["status"], [Self.paused])
    #expect(run.lines.prefix(2) == ["decantd 9 is paused", "[-] pause: paused since 2026-11-26T03:50:00.000Z"])
    #expect(run.lines.contains("Workers: 2 of 2 busy, nice 5, disk priority idle"), "\(run.output)")
    let (top, _) = asked(["top"], [Self.paused])
    #expect(top.lines.first?.hasPrefix("decantd paused: 2 running") == true, "\(top.output)")
  }

  @Test(
    "a waiting job is tried again at once, a running job only with --from-start")
  func retry() throws {
    for place in ["failed", "incoming"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("spool/\(place)"), withIntermediateDirectories: true)
    }
    let status = """
      {"version":"9","state":"running","waiting":[{"job":"J-1","drop":"W","store":"w"}],
      "running":[{"job":"J-2","drop":"R","store":"r"}]}
      """
    func retry(_ words: [String]) -> (Captured, String) {
      asked(["retry", "--spool", folder.path("spool")] + words, [status, ""])
    }
    let (waiting, request) = retry(["W"])
    #expect(
      waiting.code == 0 && waiting.messages == "decant: Job J-1 is tried again now.\n", "\(waiting.messages)")
    #expect(request.hasPrefix("POST /jobs/J-1/retry "))
    #expect(retry(["R"]).0.code == 75)
    let (running, restart) = retry(["R", "--from-start"])
    #expect(running.code == 0 && restart.hasPrefix("POST /jobs/J-2/restart "), "\(restart)")
    #expect(retry(["Nobody", "--from-start"]).0.code == 66)
    #expect(
      Captured(["retry", "--spool", folder.path("spool"), "--socket", folder.path("none"), "X"]).code == 66)
    // With --socket alone, the daemon names its spool.
    try folder.write(
      #"{"drop": "Old", "reason": "not-sqlite"}"#, to: "spool/failed/20261120T140000-000007/reason.json")
    try folder.write("x", to: "spool/failed/20261120T140000-000007/original/Old")
    let (alone, _) = asked(
      ["retry", "20261120T140000-000007", "--dry-run"],
      [#"{"version":"9","state":"running","spool":"\#(folder.path("spool"))"}"#])
    #expect(Captured(["retry", "--socket", folder.path("none"), "X"]).code == 69)
    #expect(alone.code == 0 && alone.output.contains(folder.path("spool/incoming/Old")), "\(alone)")
  }
}
