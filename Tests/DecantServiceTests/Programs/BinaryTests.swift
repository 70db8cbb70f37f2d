import DecantMigration
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// The built `decantd` as a separate process.
@Suite("The decantd executable")
struct BinaryTests {
  private func run(_ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decantd")
    process.arguments = arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: words, as: UTF8.self)
    )
  }

  private func eventually(_ holds: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(60)
    while Date() < end {
      if holds() { return true }
      usleep(20_000)
    }
    return false
  }

  @Test("data goes to standard output, messages go to standard error, and exit codes are those of sysexits.h")
  func exitCodes() throws {
    let folder = try TemporaryFolder.short()
    #expect(try run(["--version"]).output.hasPrefix("decantd "))
    #expect(try run(["--help"]).output == DaemonCommand.help)
    let unknown = try run(["--nonsense"])
    #expect(unknown.code == 64)
    #expect(unknown.output.isEmpty && unknown.errors.contains("“--nonsense”"))
    #expect(try run(["--config", folder.path("none.json5")]).code == 66)
    try folder.write("{ spol: 1 }", to: "bad.json5")
    #expect(try run(["--check", "--config", folder.path("bad.json5")]).code == 78)
    try folder.write("{ spool: 's', socket: 'file' , catalogue: '.', progressLog: 'p' }", to: "file.json5")
    try folder.write("x", to: "file")
    #expect(try run(["--config", folder.path("file.json5")]).code == 73)
    try folder.write("{ spool: 'file', socket: 'h' }", to: "spool.json5")
    #expect(try run(["--config", folder.path("spool.json5")]).code == 73)
    #expect(try run(["--print-config", "--config", folder.path("spool.json5")]).output.contains("// default"))
  }

  @Test("--check also checks the catalogue")
  func checkedCatalogue() throws {
    let folder = try TemporaryFolder.short()
    try folder.write("{ spool: 's', socket: 'h', progressLog: 'p', catalogue: 'models' }", to: "d.json5")
    func check() throws -> (code: Int32, output: String, errors: String) {
      try run(["--check", "--config", folder.path("d.json5")])
    }
    let missing = try check()
    #expect(missing.code == 78 && missing.output.isEmpty)
    #expect(
      missing.errors.contains("d.json5, “catalogue”: There is no catalogue at \(folder.path("models"))."),
      "\(missing.errors)")
    try folder.write("x", to: "models")
    #expect(try check().code == 78)
    try FileManager.default.removeItem(atPath: folder.path("models"))
    try folder.makeFolder("models")
    let good = try check()
    #expect(good.code == 0 && good.output.hasSuffix("d.json5 can be used.\n"), "\(good)")
    try folder.makeFolder("models/Notas")
    let broken = try check()
    #expect(broken.code == 78 && broken.errors.contains("The family “Notas” can't be used"), "\(broken.errors)")
    #expect(broken.errors.contains("“decant check \(folder.path("models"))” lists all faults"))
    #expect(access(folder.path("s"), F_OK) != 0, "the check made the spool")
  }

  @Test("--check refuses a family that “decant check” refuses, even if its models can be read")
  func checkedFamily() throws {
    let folder = try TemporaryFolder.short()
    try folder.write("{ spool: 's', socket: 'h', progressLog: 'p', catalogue: 'models' }", to: "d.json5")
    try folder.write(DaemonFixture.model, to: "models/Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
    try folder.write("{ worker: '\(folder.path("none"))' }", to: "models/Notas/family.json5")
    let check = try run(["--check", "--config", folder.path("d.json5")])
    #expect(check.code == 78 && check.output.isEmpty, "\(check)")
    #expect(check.errors.contains("The family “Notas” has a fault. "), "\(check.errors)")
    #expect(
      check.errors.contains("“decant check \(folder.path("models"))” lists all faults"), "\(check.errors)")
    let command = try Tool.run(Repository.program("decant"), ["check", folder.path("models")])
    #expect(command.code == 78)
  }

  @Test("--check asks the configured worker once, and names it in the command that lists all faults")
  func configuredWorker() throws {
    let folder = try TemporaryFolder.short()
    try folder.write(
      "{ spool: 's', socket: 'h', progressLog: 'p', catalogue: 'my models', worker: 'worker.sh' }",
      to: "d.json5")
    for family in ["Notas", "Otras"] {
      try folder.write(
        DaemonFixture.model.replacingOccurrences(of: "Nota", with: family),
        to: "my models/\(family)/\(family).xcdatamodeld/\(family).xcdatamodel/contents")
    }
    try folder.write(
      "#!/bin/sh\necho asked >> '\(folder.path("asked"))'\n"
        + #"echo '{"hello":{"protocol":1,"version":"\#(Migration.decantVersion)","policies":[],"functions":[]}}'; read -r line"#,
      to: "worker.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("worker.sh"))
    let fine = try run(["--check", "--config", folder.path("d.json5")])
    #expect(fine.code == 0, "\(fine)")
    #expect(try folder.text("asked") == "asked\n")
    try folder.write("{ worker: '\(folder.path("none"))' }", to: "my models/Otras/family.json5")
    let check = try run(["--check", "--config", folder.path("d.json5")])
    #expect(check.code == 78, "\(check)")
    let command = "decant check '\(folder.path("my models"))' --worker \(folder.path("worker.sh"))"
    #expect(check.errors.contains("“\(command)” lists all faults"), "\(check.errors)")
  }

  @Test(
    "--check finds settings with which the daemon couldn't work, and makes no files",
    arguments: [
      ("spool: '/proc/x'", "“spool”"), ("spool: 'file/x'", "“spool”"), ("spool: 'file'", "“spool”"),
      ("spool: 'half'", "“spool”"),
      ("socket: '\(String(repeating: "s", count: 137))'", "bytes; Linux allows 107"),
      ("socket: 'file'", "not a socket"),
      ("socket: 'none/h'", "“socket”"), ("worker: '/nope'", "“worker”"), ("worker: 'file'", "“worker”"),
      ("onDone: ['/nope']", "“onDone”"), ("onFailed: ['/etc', 'x']", "“onFailed”"),
      ("progressLog: '/nope/p.log'", "“progressLog”"), ("progressLog: '.'", "“progressLog”"),
    ])
  func checkedSettings(setting: String, words: String) throws {
    let folder = try TemporaryFolder.short()
    try folder.makeFolder("models")
    try folder.write("x", to: "file")
    try folder.write("x", to: "half/done")
    let key = setting.prefix { $0 != ":" }
    let others = ["spool: 's'", "socket: 'h'", "progressLog: 'p'", "catalogue: 'models'"].filter {
      !$0.hasPrefix(key + ":")
    }
    try folder.write("{ \((others + [setting]).joined(separator: ", ")) }", to: "d.json5")
    let before = try folder.names(".")
    let check = try run(["--check", "--config", folder.path("d.json5")])
    #expect(check.code == 78 && check.output.isEmpty, "\(check)")
    #expect(check.errors.contains(words) && check.errors.contains("“\(key)”"), "\(check.errors)")
    #expect(try folder.names(".") == before)
    // The daemon itself makes no spool if the socket can't be made.
    if key == "socket", !setting.contains("none") {
      #expect([73, 78].contains(try run(["--config", folder.path("d.json5")]).code))
      #expect(try folder.names(".") == before)
    }
  }

  @Test("the help and decantd(8) have the same exit codes")
  func codesInHelp() throws {
    let page = try Repository.text("man/decantd.8")
    let section = try #require(
      page.components(separatedBy: ".Sh EXIT STATUS\n").last?.components(separatedBy: ".El").first)
    let listed = Set(section.matches(of: /(?m)^\.It ([0-9]+)$/).map { String($0.1) })
    let line = try #require(DaemonCommand.help.components(separatedBy: "Exit codes:").last)
    #expect(listed.count > 5 && Set(line.matches(of: /\b[0-9]+\b/).map { String($0.0) }) == listed)
  }

  @Test(
    "without a configuration the daemon says what to do, and makes no files",
    .enabled(
      if: access(ServiceConfiguration.defaultFile, F_OK) != 0 && access("/var/spool/decant", F_OK) != 0,
      "Skipped: this machine has a Decant of its own."))
  func noConfiguration() throws {
    for arguments in [[], ["--check"]] {
      let run = try run(arguments)
      #expect(run.code == 66 && run.errors.contains("There is no configuration"), "\(run)")
    }
    #expect(access("/var/spool/decant", F_OK) != 0)
    #expect(try run(["--print-config"]).code == 0)
  }

  @Test(
    "root makes the lock for the spool's owner",
    .enabled(if: geteuid() == 0, "Skipped: only root can give files to another user."))
  func ownerOfTheLock() throws {
    let folder = try TemporaryFolder.short()
    try folder.makeFolder("spool")
    chown(folder.path("spool"), 4_321, 4_322)
    _ = try Spool(path: folder.path("spool"))
    var status = stat()
    #expect(stat(folder.path("spool/.lock"), &status) == 0)
    #expect(status.st_uid == 4_321 && status.st_gid == 4_322)
    let foreign = SpoolError.foreignLock(path: "/s p/.lock", user: 0)
    #expect(foreign.exitCode == 77 && foreign.description.hasSuffix("rm '/s p/.lock'"), "\(foreign)")
  }

  @Test("a lock that is a hard link to another file, or a pipe, is refused, and the other file isn't changed")
  func lockWithTwoNames() throws {
    let folder = try TemporaryFolder.short()
    try folder.makeFolder("spool")
    if geteuid() == 0 { chown(folder.path("spool"), 4_321, 4_322) }
    try folder.write("secret", to: "precious")
    #expect(link(folder.path("precious"), folder.path("spool/.lock")) == 0)
    #expect(throws: SpoolError.self) { try Spool(path: folder.path("spool")) }
    var status = stat()
    #expect(stat(folder.path("precious"), &status) == 0 && status.st_uid == geteuid())
    #expect(try folder.text("precious") == "secret")
    #expect(unlink(folder.path("spool/.lock")) == 0 && mkfifo(folder.path("spool/.lock"), 0o600) == 0)
    #expect(throws: SpoolError.self) { try Spool(path: folder.path("spool")) }
  }

  @Test("a drop is delivered, the socket answers, SIGTERM stops the daemon, and a second daemon is refused")
  func wholeWay() throws {
    let folder = try TemporaryFolder.short()
    try FakeWorker.write(to: folder)
    try folder.makeFolder("catalogue")
    try folder.write(
      """
      { spool: "spool", catalogue: "catalogue", socket: "h.sock", progressLog: "progress.log", worker: "worker.sh",
        settleSeconds: 0, scanSeconds: 0.1, minimumFreeBytes: 0 }
      """, to: "d.json5")
    let daemon = Process()
    daemon.executableURL = Repository.programs.appendingPathComponent("decantd")
    daemon.arguments = ["--config", folder.path("d.json5")]
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    defer { if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) } }
    let socket = folder.path("h.sock")
    #expect(eventually { UnixClient.get("/readyz", on: socket)?.code == 200 })
    #expect(try run(["--config", folder.path("d.json5")]).code == 75)
    try folder.write("migrate\n", to: "spool/incoming/.f/A.sqlite")
    try folder.rename("spool/incoming/.f", to: "spool/incoming/f")
    try folder.write("hang\n", to: "spool/incoming/B.sqlite")
    #expect(eventually { (try? folder.names("spool/done")) == ["f"] })
    #expect(
      eventually { UnixClient.get("/status", on: socket)?.body.contains("\"stage\" : \"create\"") == true })
    kill(daemon.processIdentifier, SIGHUP)
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    #expect(daemon.terminationReason == .exit)
    #expect(daemon.terminationStatus == 0)
    #expect(try folder.text("progress.log").contains("store=B.sqlite event=stopped"))
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test("with the daemon's own worker, files that are no stores are refused, and the daemon continues")
  func ownWorker() throws {
    let folder = try TemporaryFolder.short()
    try folder.write(
      DaemonFixture.model, to: "catalogue/Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
    try folder.write(
      "{ spool: 'spool', catalogue: 'catalogue', socket: 'h.sock', progressLog: 'p.log', settleSeconds: 0 }",
      to: "d.json5")
    let daemon = Process()
    daemon.executableURL = Repository.programs.appendingPathComponent("decantd")
    daemon.arguments = ["--config", folder.path("d.json5")]
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    defer { if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) } }
    let socket = folder.path("h.sock")
    #expect(eventually { UnixClient.get("/readyz", on: socket)?.code == 200 })
    for name in ["A.sqlite", "B.sqlite"] {
      try folder.write("This is a letter, not a store.", to: "spool/incoming/\(name)")
    }
    #expect(eventually { (try? folder.names("spool/failed").count) == 2 })
    for job in try folder.names("spool/failed") {
      let reason = try JSONDecoder().decode(
        RefusalReason.self, from: Data(folder.text("spool/failed/\(job)/reason.json").utf8))
      #expect(reason.reason == .notSQLite)
      #expect(!reason.message.contains("spool/work"))
      #expect(try folder.text("spool/failed/\(job)/\(reason.file)") == "This is a letter, not a store.")
    }
    kill(daemon.processIdentifier, SIGINT)
    daemon.waitUntilExit()
    #expect(daemon.terminationStatus == 0)
  }

  @Test("after a kill at any time the next daemon continues; nothing is lost or delivered twice")
  func killed() throws {
    let folder = try TemporaryFolder.short()
    try FakeWorker.write(to: folder)
    try folder.makeFolder("catalogue")
    try folder.write(
      """
      { spool: "spool", catalogue: "catalogue", socket: "h.sock", progressLog: "progress.log", worker: "worker.sh",
        settleSeconds: 0, scanSeconds: 0.1, minimumFreeBytes: 0, retrySeconds: 0.05 }
      """, to: "d.json5")
    let stores = 40
    for number in 0..<stores {
      try folder.write("migrate\n\(number)\n", to: "spool/incoming/S\(number).sqlite")
    }
    func isThrough() -> Bool {
      (try? folder.names("spool/done").count) == stores && (try? folder.names("spool/work")) == [".arrival"]
    }
    for round in 0..<60 {
      let daemon = Process()
      daemon.executableURL = Repository.programs.appendingPathComponent("decantd")
      daemon.arguments = ["--config", folder.path("d.json5")]
      daemon.standardError = FileHandle.nullDevice
      try daemon.run()
      // The last round waits until all stores are done.
      if round < 59 {
        usleep(useconds_t(15_000 + (round &* 7919) % 90_000))
      } else {
        #expect(eventually(isThrough))
      }
      kill(daemon.processIdentifier, SIGKILL)
      daemon.waitUntilExit()
    }
    #expect(try folder.names("spool/done").count == stores)
    #expect(try folder.names("spool/failed").isEmpty)
    #expect(try folder.names("spool/incoming").isEmpty)
    for number in 0..<stores {
      let tree = try folder.tree("spool/done/S\(number).sqlite")
      #expect(tree["original/S\(number).sqlite"] == "migrate\n\(number)\n")
      #expect(tree["S\(number).sqlite"] == "migrated\nmigrate\n\(number)\n")
    }
  }
}
