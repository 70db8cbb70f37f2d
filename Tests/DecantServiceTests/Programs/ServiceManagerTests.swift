import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService

/// The built `decantd` with a service manager: the protocols of `sd_notify` and of passed sockets.
@Suite("decantd and the service manager")
struct ServiceManagerTests {
  private func daemon(
    _ notify: (TemporaryFolder) -> NotifySocket, environment: [String: String] = [:]
  ) throws -> (RealDaemon, NotifySocket) {
    let folder = try TemporaryFolder.short()
    let socket = notify(folder)
    let daemon = try RealDaemon(
      environment: ["NOTIFY_SOCKET": socket.path].merging(environment) { $1 }, folder: folder
    ) { folder in
      try FakeWorker.write(to: folder)
      try folder.makeFolder("catalogue")
      try folder.write("{ worker: '\(folder.path("worker.sh"))', stopSeconds: 60 }", to: "d.json5.d/a.json5")
    }
    return (daemon, socket)
  }

  private func drop(_ what: String, _ daemon: RealDaemon) throws {
    try daemon.folder.write(what + "\n", to: "new/\(what).sqlite")
    try daemon.drop("new", as: what)
  }

  @Test(
    "READY comes after the first scan, STATUS says what is done, and STOPPING comes before the time is extended"
  )
  func life() throws {
    let (daemon, socket) = try daemon { NotifySocket($0.path("notify")) }
    let ready = try #require(socket.wait { $0.hasPrefix("READY=1\n") })
    #expect(socket.messages[ready] == "READY=1\nSTATUS=idle")
    #expect(socket.messages[..<ready].contains("EXTEND_TIMEOUT_USEC=300000000"))
    #expect(UnixClient.get("/livez", on: daemon.folder.path("h.sock"))?.code == 200)
    // This drop's worker doesn't stop until it is killed.
    try drop("deaf", daemon)
    #expect(
      socket.wait(from: ready + 1) {
        $0.hasPrefix("STATUS=1 running, 0 queued; deaf.sqlite pass 1/1, create, ")
      } != nil, "\(socket.messages)")

    // A reload begins with the time of the monotonic clock, and ends with READY.
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    daemon.reload()
    let reload = try #require(socket.wait(from: ready + 1) { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
    let stamp = try #require(Double(socket.messages[reload].split(separator: "=").last ?? ""))
    #expect(abs(stamp / 1_000_000 - Double(now.tv_sec)) < 60)
    let again = try #require(socket.wait(from: reload + 1) { $0.hasPrefix("READY=1\nSTATUS=1 running") })

    daemon.signal(SIGTERM)
    let stopping = try #require(socket.wait(from: again + 1) { $0 == "STOPPING=1\nSTATUS=stopping" })
    let longer = try #require(socket.wait(from: again + 1) { $0.hasPrefix("EXTEND_TIMEOUT_USEC=") })
    #expect(longer > stopping && socket.messages[longer] == "EXTEND_TIMEOUT_USEC=15000000")
    #expect(daemon.isRunning)
    // The second signal ends the daemon at once.
    #expect(daemon.stop() == 0)
    socket.take()
    #expect(socket.messages.count { $0.hasPrefix("STOPPING=1") } == 1)
    #expect(socket.messages.allSatisfy { !$0.contains("WATCHDOG") })
  }

  @Test("the loop sends WATCHDOG before half of the time is over; a frozen daemon sends nothing")
  func watchdog() throws {
    let (daemon, socket) = try daemon(
      { NotifySocket($0.path("notify")) }, environment: ["WATCHDOG_USEC": "2000000"])
    let ready = try #require(socket.wait { $0.hasPrefix("READY=1\n") })
    var last = try #require(socket.wait(from: ready) { $0 == "WATCHDOG=1" })
    // One more message comes in each second while the daemon is idle.
    for _ in 0..<3 {
      let before = Date()
      last = try #require(socket.wait(from: last + 1) { $0 == "WATCHDOG=1" })
      #expect(Date().timeIntervalSince(before) < 1)
    }
    daemon.signal(SIGSTOP)
    usleep(100_000)
    socket.take()
    let count = socket.messages.count
    usleep(1_500_000)
    socket.take()
    #expect(socket.messages.count == count)
    daemon.signal(SIGCONT)
    #expect(socket.wait(from: count) { $0 == "WATCHDOG=1" } != nil)
    #expect(daemon.stop() == 0)
  }

  /// Starts a daemon with a socket as descriptor 3.
  private func daemon(
    with descriptor: Int32, process: String, in folder: TemporaryFolder, standardError: FileHandle = .nullDevice
  ) throws -> RealDaemon {
    try RealDaemon(
      standardError: standardError,
      standardInput: FileHandle(fileDescriptor: descriptor, closeOnDealloc: false),
      prelude: "exec 3<&0 0</dev/null; export LISTEN_FDS=1 LISTEN_PID=\(process)", folder: folder
    ) { try $0.makeFolder("catalogue") }
  }

  @Test("a passed socket is used in place of the configured socket, and stays")
  func passedSocket() throws {
    let folder = try TemporaryFolder.short()
    let socket = UnixAddress.bound(folder.path("passed"), SOCK_STREAM)
    defer { close(socket) }
    #expect(listen(socket, 8) == 0)
    let daemon = try daemon(with: socket, process: "$$", in: folder)
    #expect(daemon.eventually { UnixClient.get("/readyz", on: folder.path("passed"))?.code == 200 })
    #expect(access(folder.path("h.sock"), F_OK) != 0)
    #expect(daemon.stop() == 0)
    #expect(access(folder.path("passed"), F_OK) == 0)
  }

  @Test("sockets that were passed to another process aren't used")
  func foreignSocket() throws {
    let folder = try TemporaryFolder.short()
    let socket = UnixAddress.bound(folder.path("passed"), SOCK_STREAM)
    defer { close(socket) }
    #expect(listen(socket, 8) == 0)
    let daemon = try daemon(with: socket, process: "1", in: folder)
    #expect(daemon.eventually { UnixClient.get("/readyz", on: folder.path("h.sock"))?.code == 200 })
    #expect(daemon.stop() == 0)
  }

  @Test("a passed datagram socket is refused")
  func wrongSocket() throws {
    let folder = try TemporaryFolder.short()
    let socket = UnixAddress.bound(folder.path("passed"), SOCK_DGRAM)
    defer { close(socket) }
    let daemon = try daemon(with: socket, process: "$$", in: folder)
    #expect(daemon.eventually { !daemon.isRunning })
    #expect(daemon.stop() == 78)
  }
}
