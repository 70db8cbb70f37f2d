import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// The shipped files for systemd and logrotate, checked by the programs that read them.
@Suite("The files for systemd and logrotate")
struct UnitTests {
  private static let folder = Repository.root.appendingPathComponent("systemd")

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  private static let systemd: ConditionTrait = .enabled(
    if: Tool.path("systemd-analyze") != nil, "Skipped: systemd-analyze isn't there (Debian package systemd).")

  @Test("systemd-analyze verify reports nothing about the units", systemd)
  func verify() throws {
    let place = try TemporaryFolder.short()
    let program = Repository.program("decantd")
    try place.write(
      try Self.text("decantd.service").replacing("/usr/bin/decantd", with: program), to: "decantd.service")
    try place.write(try Self.text("decantd.socket"), to: "decantd.socket")
    func verify() throws -> (code: Int32, output: String) {
      try Tool.run(
        try #require(Tool.path("systemd-analyze")),
        ["verify", "--man=no", place.path("decantd.service"), place.path("decantd.socket")])
    }
    let good = try verify()
    #expect(good.code == 0 && good.output.isEmpty, "\(good)")
    try place.write(try place.text("decantd.service") + "Wonder=1\n", to: "decantd.service")
    #expect(try !verify().output.isEmpty)
  }

  @Test("the exposure of the unit is at most 0.4", systemd)
  func exposure() throws {
    let analyze = try #require(Tool.path("systemd-analyze"))
    func score(_ limit: Int, _ unit: String) throws -> (code: Int32, output: String) {
      try Tool.run(analyze, ["security", "--no-pager", "--offline=true", "--threshold=\(limit)", unit])
    }
    let good = try score(4, Self.folder.appendingPathComponent("decantd.service").path)
    #expect(good.code == 0, "\(good.output)")
    let place = try TemporaryFolder.short()
    try place.write(
      try Self.text("decantd.service").replacing("PrivateNetwork=yes", with: "PrivateNetwork=no"),
      to: "decantd.service")
    #expect(try score(4, place.path("decantd.service")).code != 0)
  }

  @Test("systemd doesn't start the daemon again if a restart doesn't help")
  func restarts() throws {
    let line = try #require(
      try Self.text("decantd.service").split(separator: "\n").first {
        $0.hasPrefix("RestartPreventExitStatus=")
      })
    let codes = Set(line.split(separator: "=")[1].split(separator: " ").compactMap { Int32($0) })
    // A restart doesn't end these errors.
    for error: DaemonError in [
      .socket(.notASocket(path: "/x")), .socket(.tooLong(path: "/x")), .spool(.badLock(path: "/x")),
      .spool(.files(FileFailure("make the folder", "/x", ENOTDIR))),
      .spool(.files(FileFailure("make the folder", "/x", EACCES))),
      .spool(.severalFileSystems(spool: "/x", folder: "/x/done")),
    ] { #expect(codes.contains(error.exitCode), "\(error)") }
    #expect(codes.isSuperset(of: [64, 66]))
    // These errors may end by themselves.
    for error: DaemonError in [
      .spool(.files(FileFailure("make the folder", "/x", ENOSPC))),
      .spool(.files(FileFailure("make the folder", "/x", EIO))), .spool(.inUse(spool: "/x", process: 1)),
      .socket(.files(FileFailure("make the socket", "/x", ENOSPC))), .socket(.inUse(path: "/x")),
      .server(socket: "/x"),
    ] { #expect(!codes.contains(error.exitCode), "\(error)") }
  }

  @Test(
    "logrotate accepts the shipped file, and the daemon continues in the new log",
    .enabled(if: Tool.path("logrotate") != nil, "Skipped: logrotate isn't there."))
  func logrotate() throws {
    let logrotate = try #require(Tool.path("logrotate"))
    let daemon = try RealDaemon { try $0.makeFolder("catalogue") }
    let place = daemon.folder
    #expect(daemon.eventually { UnixClient.get("/readyz", on: place.path("h.sock"))?.code == 200 })
    try place.write("refuse\n", to: "new/A.sqlite")
    try daemon.drop("new", as: "A")
    #expect(daemon.eventually { (try? place.text("p.log").contains("event=failed")) == true })
    // The shipped file has the installed daemon's user, folder and unit, which the test replaces.
    let user = String(cString: getpwuid(geteuid()).pointee.pw_name)
    let group = String(cString: getgrgid(getegid()).pointee.gr_name)
    var text = try Self.text("decant.logrotate").replacing(
      "/var/log/decant/progress.log", with: place.path("p.log")
    )
    .replacing("create 0640 decant decant", with: "create 0640 \(user) \(group)")
    #expect(text.contains("--signal=HUP") && text.contains("create 0640 \(user)"))
    text = text.replacing(
      /\/bin\/systemctl [^>]*decantd\.service/, with: "kill -HUP \(daemon.processIdentifier)")
    try place.write(text, to: "rotate")
    chmod(place.path("rotate"), 0o644)
    chmod(place.path(""), 0o755)
    let dry = try Tool.run(logrotate, ["--debug", "--state", place.path("state"), place.path("rotate")])
    #expect(dry.code == 0 && !dry.output.contains("error:"), "\(dry)")
    let done = try Tool.run(logrotate, ["--force", "--state", place.path("state"), place.path("rotate")])
    #expect(done.code == 0, "\(done)")
    #expect(try place.text("p.log.1").contains("event=failed"))
    try place.write("refuse\n", to: "new/B.sqlite")
    try daemon.drop("new", as: "B")
    #expect(daemon.eventually { (try? place.text("p.log").contains("drop=B")) == true })
    #expect(try !place.text("p.log.1").contains("drop=B"))
    #expect(daemon.stop() == 0)
  }
}
