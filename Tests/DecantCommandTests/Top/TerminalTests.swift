import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// The built `decant` on a terminal of its own.
@Suite("decant top on a terminal", .serialized)
struct TerminalTests {
  private func start(_ terminal: Terminal, socket: String, environment: [String: String]) throws -> Process {
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments = ["top", "--socket", socket]
    process.environment = environment
    let handle = FileHandle(fileDescriptor: terminal.slave, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    try process.run()
    return process
  }

  @Test(
    "top draws, follows the terminal's size, quits with q, and restores the terminal",
    arguments: [true, false])
  func keys(isColoured: Bool) throws {
    let folder = try TemporaryFolder()
    let server = SocketServer(folder.path("h"), status: SampleStatus.json)
    defer { server.stop() }
    let terminal = try Terminal(width: 80, height: 24)
    let before = terminal.settings
    let process = try start(
      terminal, socket: folder.path("h"), environment: isColoured ? ["TERM": "xterm"] : ["NO_COLOR": "1"])
    let first = terminal.read(until: "q quits")
    #expect(
      first.contains("\u{1b}[?1049h") && first.contains("  pass 2 StepTwo           [#######---"), "\(first)")
    #expect(first.contains("\u{1b}[1m") == isColoured)
    #expect(terminal.settings.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    terminal.resize(40, 10)
    kill(process.processIdentifier, SIGWINCH)
    #expect(terminal.read(until: "2 running, 1,200 queued, 1 waiting, 1 b…").contains("…"))
    terminal.press("q")
    #expect(terminal.read(until: "\u{1b}[?1049l").contains("\u{1b}[?25h\u{1b}[?1049l"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(terminal.settings.c_lflag == before.c_lflag)
  }

  @Test("a signal ends top as a key does, and the screen says that the daemon doesn't answer")
  func signal() throws {
    let folder = try TemporaryFolder()
    let server = SocketServer(folder.path("h"), status: SampleStatus.json)
    let terminal = try Terminal(width: 80, height: 24)
    let before = terminal.settings
    let process = try start(terminal, socket: folder.path("h"), environment: ["NO_COLOR": "1"])
    _ = terminal.read(until: "q quits")
    server.stop()
    unlink(folder.path("h"))
    #expect(terminal.read(until: "[-] decantd doesn't run").contains("[-] decantd doesn't run"))
    kill(process.processIdentifier, SIGTERM)
    #expect(terminal.read(until: "\u{1b}[?1049l").contains("\u{1b}[?1049l"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(terminal.settings.c_lflag == before.c_lflag)
  }
}
