import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// The built `decant` on a terminal of its own.
@Suite("decant top on a terminal", .serialized)
struct TerminalTests {
  /// A pseudo-terminal: what the program writes can be read, and keys can be sent.
  private final class Terminal {
    let master: Int32
    let slave: Int32

    init(width: UInt16, height: UInt16) throws {
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number) = (Int32(0), Int32(-1))
      // TIOCSPTLCK and TIOCGPTN of Linux: unlocks the other end, and says its number.
      try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
      slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(slave >= 0)
      resize(width, height)
    }

    deinit {
      close(master)
      close(slave)
    }

    func resize(_ width: UInt16, _ height: UInt16) {
      var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func press(_ key: String) { _ = write(master, Array(key.utf8), key.utf8.count) }

    var settings: termios {
      var settings = termios()
      tcgetattr(slave, &settings)
      return settings
    }

    /// Reads until a text was written, or for half a minute.
    func read(until text: String) -> String {
      var found: [UInt8] = []
      let end = Date().addingTimeInterval(30)
      while Date() < end, !String(decoding: found, as: UTF8.self).contains(text) {
        var slot = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&slot, 1, 100) > 0 else { continue }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(master, &buffer, buffer.count)
        if count > 0 { found += buffer.prefix(count) }
      }
      return String(decoding: found, as: UTF8.self)
    }
  }

  private func start(_ terminal: Terminal, socket: String, environment: [String: String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("decant")
    process.arguments = ["top", "--socket", socket]
    process.environment = environment
    let handle = FileHandle(fileDescriptor: terminal.slave, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    try process.run()
    return process
  }

  @Test(
    "it draws, follows the terminal's size, quits with q, and gives the terminal back",
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

  @Test("a signal ends it as a key does, and a daemon that has gone is named on the screen")
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
