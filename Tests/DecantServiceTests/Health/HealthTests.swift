import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("The health endpoint")
struct HealthTests {
  private var ready: ServiceStatus {
    var status = ServiceStatus()
    status.state = .running
    status.checks = [.init(name: "spool", ok: true, message: "fine")]
    return status
  }

  private func answer(
    _ path: String, _ status: ServiceStatus, verbose: Bool = false, age: Double = 0, method: String = "GET",
    mayChange: Bool = false
  )
    -> HealthAnswer
  {
    HealthAnswer.answer(
      HealthRequest(method: method, path: path, isVerbose: verbose, mayChange: mayChange), status: status,
      age: age)
  }

  @Test("livez depends only on the loop: a full disk is no reason to kill the daemon")
  func livez() {
    var status = ready
    status.checks = [.init(name: "space", ok: false, message: "full")]
    #expect(answer("/livez", status).code == 200)
    #expect(answer("/healthz", status).code == 200)
    #expect(answer("/livez", ready, age: 61).code == 503)
  }

  @Test("readyz is 503 with the reasons; verbose lists all checks, with the commands for a repair")
  func readyz() {
    #expect(answer("/readyz", ready).code == 200)
    var status = ready
    #expect(answer("/readyz", status).body == "ready\n")
    #expect(answer("/readyz", status, verbose: true).body == "[+] spool: fine\nready\n")
    status.checks.append(.init(name: "space", ok: false, message: "1 MiB free, 9 MiB\nneeded"))
    status.blocked = [.init(drop: "p", message: "It is a pipe.", command: "rm p")]
    #expect(answer("/readyz", status).code == 503)
    #expect(answer("/readyz", status).body == "[-] space: 1 MiB free, 9 MiB needed\nnot ready\n")
    #expect(
      answer("/readyz", status, verbose: true).body.contains(
        "[i] incoming/p: It is a pipe. Fix it with: rm p\n"))
    status = ready
    status.state = .stopping
    #expect(answer("/readyz", status).code == 503)
  }

  @Test("a warning has a mark of its own, and the daemon is ready")
  func warning() {
    var status = ready
    status.checks.append(.init(name: "incoming", ok: true, warning: true, message: "4 drops can't be taken"))
    #expect(answer("/readyz", status).code == 200)
    #expect(answer("/readyz", status).body == "[!] incoming: 4 drops can't be taken\nready\n")
    #expect(
      answer("/readyz", status, verbose: true).body
        == "[+] spool: fine\n[!] incoming: 4 drops can't be taken\nready\n")
    status.checks = [.init(name: "incoming", ok: false, warning: true, message: "gone")]
    #expect(answer("/readyz", status, verbose: true).body.hasPrefix("[-] incoming"))
  }

  @Test("a blocked drop and a log that can't be written are warnings, and the daemon is ready")
  func warnings() throws {
    let fixture = try DaemonFixture { $0.progressLog = "/dev/null/progress.log" }
    let daemon = try fixture.start()
    func warnings() -> [String] {
      daemon.publish(at: daemon.context.clock.steady())
      return daemon.health.status.checks.filter(\.warning).map(\.name)
    }
    #expect(fixture.turn { warnings() == ["log"] })
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.path("spool/incoming/link"), withDestinationPath: "/etc/hostname")
    #expect(fixture.turn { warnings() == ["log", "incoming"] })
    #expect(daemon.health.status.isReady)
    let body = answer("/readyz", daemon.health.status, verbose: true).body
    #expect(body.contains("[!] incoming: 1 drop can't be taken; others are taken\n"), "\(body)")
    // A paused daemon takes no other drops.
    daemon.context.configuration.file = "/srv/my decant.json5"
    daemon.carryOut(.pause(stopsJobs: false), at: fixture.now)
    daemon.publish(at: fixture.now)
    let paused = answer("/readyz", daemon.health.status, verbose: true).body
    #expect(paused.contains("[!] incoming: 1 drop can't be taken\n"), "\(paused)")
    #expect(paused.contains("until “decant resume --config '/srv/my decant.json5'”\n"), "\(paused)")
  }

  @Test("a blocked drop doesn't make the daemon unready")
  func blockedIsReady() {
    var status = ready
    status.blocked = [.init(drop: "p", message: "It is a pipe.", command: "rm p")]
    #expect(answer("/readyz", status).code == 200)
  }

  @Test("other paths are 404, other methods 405 with the allowed methods")
  func others() {
    #expect(answer("/", ready).code == 404)
    #expect(answer("/livez/", ready).code == 404)
    #expect(answer("/status", ready, method: "POST").code == 405)
    #expect(answer("/status", ready, method: "POST").allow == "GET, HEAD")
    #expect(answer("/nothing", ready, method: "POST").code == 404)
  }

  @Test("a job is cancelled only by POST, only by the daemon's user, and only while the daemon runs")
  func cancel() {
    let path = "/jobs/20261120T140000-000007/cancel"
    #expect(answer(path, ready).code == 405 && answer(path, ready).allow == "POST")
    #expect(answer(path, ready, method: "HEAD", mayChange: true).code == 405)
    #expect(answer(path, ready, method: "POST").code == 403)
    #expect(answer(path, ServiceStatus(), method: "POST", mayChange: true).code == 503)
    let good = answer(path, ready, method: "POST", mayChange: true)
    #expect(good.code == 202 && good.order == .cancel(job: "20261120T140000-000007"))
    for other in [
      "/jobs//cancel", "/jobs/../cancel", "/jobs/1/2/cancel", "/jobs/1/forget", "/jobs/a/cancel",
      "jobs/1/cancel",
    ] {
      let answer = answer(other, ready, method: "POST", mayChange: true)
      #expect(answer.code == 404 && answer.order == nil, "\(other)")
    }
  }

  @Test("status has the documented keys")
  func status() throws {
    var status = ready
    status.waiting = [.init(job: "j", drop: "d", store: "s", cause: "retry", message: "m", until: nil)]
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(answer("/status", status).body.utf8)) as? [String: Any])
    #expect(
      Set(json.keys) == [
        "version", "process", "state", "uptimeSeconds", "spool", "jobs", "totals", "queue", "workers",
        "running",
        "queued", "waiting", "waitingByCause", "results", "blocked", "families", "checks", "freeBytes",
        "sizeBytes",
      ])
    #expect(
      (json["jobs"] as? [String: Int])?.keys.sorted() == [
        "blocked", "done", "failed", "queued", "running", "waiting",
      ])
  }

  @Test("a socket's path that is too long, taken by a file, or in use is refused with a message")
  func sockets() throws {
    let folder = try TemporaryFolder.short()
    let long = folder.path(String(repeating: "s", count: 108 - folder.path("").utf8.count))
    #expect(long.utf8.count == 108)
    #expect(throws: HealthSocketError.tooLong(path: long)) { try HealthSocket(path: long) }
    let longest = String(long.dropLast())
    try HealthSocket(path: longest).remove()
    try folder.write("x", to: "file")
    #expect(throws: HealthSocketError.notASocket(path: folder.path("file"))) {
      try HealthSocket(path: folder.path("file"))
    }
    #expect(try folder.text("file") == "x")
    let socket = try HealthSocket(path: folder.path("s"))
    #expect(throws: HealthSocketError.inUse(path: folder.path("s"))) {
      try HealthSocket(path: folder.path("s"))
    }
    var status = stat()
    stat(folder.path("s"), &status)
    #expect(status.st_mode & 0o777 == 0o660)
    close(socket.descriptor)
    // The socket of a dead daemon is replaced.
    try HealthSocket(path: folder.path("s")).remove()
    #expect(try folder.names(".") == ["file"])
  }

  @Test("real clients get answers, although other clients are odd or silent")
  func realSocket() throws {
    let folder = try TemporaryFolder.short()
    let path = folder.path("s")
    let board = StatusBoard()
    let server = try #require(HealthServer(socket: try HealthSocket(path: path), board: board))
    board.write(ready, at: ServiceClock.machine.steady())
    // Silent clients, and a client that sends invalid data.
    let silent = (0..<20).compactMap { _ in UnixClient(path: path) }
    let rubbish = try #require(UnixClient(path: path))
    rubbish.send("\u{0}\u{1}\u{2} rubbish\r\n\r\n")
    #expect(UnixClient.get("/livez", on: path)?.code == 200)
    #expect(UnixClient.get("/readyz", on: path)?.body == "ready\n")
    #expect(UnixClient.get("/readyz?verbose", on: path)?.body == "[+] spool: fine\nready\n")
    #expect(UnixClient.get("/readyz?verbose=1", on: path)?.body == "[+] spool: fine\nready\n")
    #expect(UnixClient.get("/metrics", on: path)?.head.contains("version=0.0.4") == true)
    #expect(UnixClient.get("/status", method: "HEAD", on: path)?.body == "")
    #expect(UnixClient.get("/../../etc/passwd", on: path)?.code == 404)
    #expect(
      UnixClient.get("/" + String(repeating: "a", count: 100_000), on: path).map { $0.code >= 400 } ?? true)
    let post = try #require(UnixClient(path: path))
    post.send("POST /status HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
    #expect(post.readToEnd().hasPrefix("HTTP/1.1 405"))
    #expect(silent.count == 20)
    // Slow clients are disconnected, so the first one reads the end.
    #expect(silent.first?.readToEnd() == "")
    server.stop()
    #expect(try folder.names(".").isEmpty)
  }

  @Test("other clients get answers even with more slow clients than the server serves at a time")
  func crowd() throws {
    let folder = try TemporaryFolder.short()
    let path = folder.path("s")
    let board = StatusBoard()
    // The slow clients would be disconnected only after the other client has given up.
    let server = try #require(
      HealthServer(socket: try HealthSocket(path: path), board: board, silenceSeconds: 60))
    board.write(ready, at: ServiceClock.machine.steady())
    var slow: [UnixClient] = []
    for _ in 0..<5 {
      for _ in 0..<32 {
        let client = try #require(UnixClient(path: path))
        client.send("GET /li")
        slow.append(client)
      }
      #expect(UnixClient.get("/livez", on: path)?.code == 200)
    }
    #expect(slow.first?.readToEnd() == "", "the oldest has given way")
    server.stop()
  }

  @Test("a socket that the service manager keeps serves clients again after a stop")
  func passedSocket() throws {
    let folder = try TemporaryFolder.short()
    let path = folder.path("s")
    // The service manager has a descriptor of its own for the same socket.
    let manager = try HealthSocket(path: path).descriptor
    for _ in 0..<2 {
      let server = try #require(
        HealthServer(socket: try HealthSocket(passed: dup(manager)), board: StatusBoard()))
      #expect(UnixClient.get("/livez", on: path) != nil)
      server.stop()
      #expect(try folder.names(".") == ["s"])
    }
    close(manager)
    #expect(throws: HealthSocketError.unsuitable(descriptors: 1)) { try HealthSocket(passed: 0) }
  }
}
