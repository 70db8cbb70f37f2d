import Foundation
import Glibc
import Testing

@testable import DecantService

@Suite("Messages on standard error")
struct ServiceLogTests {
  /// Both ends of a pipe or of a pair of sockets: where the log writes, and where a reader reads.
  private struct Ends {
    let (output, input): (Int32, Int32)

    init(ofSockets: Bool) {
      var ends: [Int32] = [-1, -1]
      if ofSockets {
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      } else {
        pipe(&ends)
      }
      (input, output) = (ends[0], ends[1])
      _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    func read() -> String {
      var data: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = Glibc.read(input, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: data, as: UTF8.self) }
        data += buffer.prefix(count)
      }
    }
  }

  @Test(
    "nothing waits for a reader that doesn't read, and the next line says what was dropped",
    arguments: [false, true])
  func full(isSocket: Bool) {
    let ends = Ends(ofSockets: isSocket)
    defer { for end in [ends.input, ends.output] { close(end) } }
    let log = ServiceLog(descriptor: ends.output, hasPriorities: false)
    let long = String(repeating: "x", count: 10_000)
    for _ in 0..<100 { log.say(.notice, long) }
    let first = ends.read().split(separator: "\n")
    #expect(first.count < 100 && first.dropLast().allSatisfy { $0 == "decantd: \(long)" })
    log.say(.notice, "again")
    let rest = ends.read()
    let dropped = 100 - first.filter { $0 == "decantd: \(long)" }.count
    #expect(
      rest.hasSuffix(
        "decantd: \(dropped) messages were dropped, because standard error wasn't read.\ndecantd: again\n"),
      "\(rest)")
    log.say(.notice, "last")
    #expect(ends.read() == "decantd: last\n")
    // The flags of the descriptor are those of other processes, too.
    #expect(fcntl(ends.output, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test("a file keeps its other lines")
  func file() throws {
    let folder = try TemporaryFolder()
    try folder.write("one\n", to: "log")
    let descriptor = open(folder.path("log"), O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    lseek(descriptor, 0, SEEK_END)
    ServiceLog(descriptor: descriptor, hasPriorities: true).say(.warning, "two")
    #expect(try folder.text("log") == "one\n<4>two\n")
  }

  @Test("the daemon works and stops while its standard error is full and unread")
  func daemon() throws {
    let ends = Ends(ofSockets: false)
    defer { for end in [ends.input, ends.output] { close(end) } }
    let daemon = try RealDaemon(standardError: FileHandle(fileDescriptor: ends.output)) { folder in
      try folder.makeFolder("catalogue")
      _ = fcntl(ends.output, F_SETFL, O_NONBLOCK)
      let bytes = [UInt8](repeating: 0x78, count: 1 << 16)
      while Glibc.write(ends.output, bytes, bytes.count) > 0 {}
      _ = fcntl(ends.output, F_SETFL, 0)
    }
    let socket = daemon.folder.path("h.sock")
    #expect(daemon.eventually { UnixClient.get("/livez", on: socket)?.code == 200 })
    #expect(daemon.stop() == 0)
  }
}
