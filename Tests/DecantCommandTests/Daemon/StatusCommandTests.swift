import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole

@Suite("decant status")
struct StatusCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func asked(_ arguments: String..., status: String = SampleStatus.json) -> Captured {
    let server = SocketServer(folder.path("h"), status: status)
    defer {
      server.stop()
      unlink(folder.path("h"))
    }
    return Captured(["status", "--socket", folder.path("h")] + arguments)
  }

  @Test("a drop's name means the latest of its jobs")
  func latest() {
    let status = SampleStatus.json.replacingOccurrences(of: "\"Otra\"", with: "\"Notas\"")
    #expect(status != SampleStatus.json)
    let run = asked("Notas", status: status)
    #expect(run.code == 0 && run.output.contains("job J-8") && !run.output.contains("job J-7"), "\(run.output)")
  }

  @Test("status shows readiness, queue, running jobs, waiting jobs with their causes, and the last results")
  func screen() {
    let run = asked()
    #expect(run.code == 0 && run.messages.isEmpty)
    #expect(
      run.output == """
        decantd 9.9.9 is ready, up 2 h 10 min
        [!] incoming: 1 drop can't be taken; others are taken
        Spool: /s, 23.4 GiB free
        Jobs: 2 running, 1,200 queued, 1 waiting, 1 blocked; 20 in done, 2 in failed
        Workers: 2 of 2 busy
        Queue: 34.0 MiB queued, all jobs done in about 2 min 05 s

        Running:
          Notas.sqlite  [####------]  42 %  about 12 s left
            job J-7, drop “Notas”, family “Notas”, 70.0 MiB, for 10 s, attempt 2
            “Notas” to “Notas 2”
            pass 2 of 3, “StepTwo”, about 5.2 s left of it
            create NotaToCategoria, chunk 3 of 12, where categoria != nil
            168,000 of 400,000 source objects read, 31,000 rows read/s, memory 61.0 MiB,
            peak 93.0 MiB
          Otra.sqlite  [----------]   0 %
            job J-8, drop “Otra”, 100 bytes, for 0.1 s
            checking the store

        Waiting:
          Slow.sqlite (job J-3) waits: retry until 2026-11-26 03:50:00Z
            The disk is full.

        Queued:
          Una.sqlite (job J-9) is queued, 1.5 KiB, priority 5
          and 1,199 more

        Blocked in incoming:
          p.sqlite
            “p.sqlite” can't be read.
            Fix it with: chmod g+r /s/incoming/p.sqlite

        Families with trouble:
          “Bad”
            family.json5 has no “inferense”.

        Last results:
          2026-11-26 03:47:52Z failed: Letter (Letter.sqlite, job J-2)
            not-sqlite: The file isn't an SQLite database.
          2026-11-26 03:40:00Z done: Old (Old.sqlite, job J-1)
            “Notas” to “Notas 2”, 400,000 migrated, 3.3 s, 1 loss (7 values and objects)

        """)
    for line in run.lines { #expect(DisplayWidth.columns(of: line) <= 80, "\(line)") }
  }

  @Test("a blocked drop is shown once with all its reasons, and the rest is counted in drops")
  func blockedReasons() {
    let entries = (1...12).flatMap { drop in
      ["a", "b"].map { #"{"drop": "d\#(drop)", "message": "Reason \#($0).", "command": ""}"# }
    }
    let status =
      #"{"version": "1", "state": "running", "jobs": {"blocked": 13}, "blocked": [\#(entries.joined(separator: ","))]}"#
    let run = asked(status: status)
    #expect(
      run.output.contains("Blocked in incoming:\n  d1\n    Reason a.\n    Reason b.\n  d2\n"), "\(run.output)")
    #expect(run.output.hasSuffix("  d10\n    Reason a.\n    Reason b.\n  and 3 more\n"), "\(run.output)")
    let one = asked("d12", status: status).output
    #expect(one.hasSuffix("d12\n  Reason a.\n  Reason b.\n"), "\(one)")
  }

  @Test("an idle daemon needs few lines, and one that isn't ready says why")
  func states() throws {
    let idle = asked(status: #"{"version": "1", "state": "running", "checks": []}"#)
    #expect(idle.code == 0 && idle.output == "decantd 1 is ready\n")
    let full = asked(
      status: #"""
        {"version": "1", "state": "running", "checks": [{"name": "space", "ok": false, "message": "1 MiB free"}]}
        """#)
    #expect(full.code == 0 && full.output == "decantd 1 is not ready\n[-] space: 1 MiB free\n")
    #expect(asked(status: #"{"version": "1", "state": "stopping"}"#).output == "decantd 1 is stopping\n")
  }

  @Test("a result shows what became of the objects, but not the sum of source objects")
  func outcomes() {
    let run = asked(
      status: #"""
        {"version": "1", "state": "running", "results": [{"job": "J-1", "store": "A.sqlite", "place": "done",
         "result": "migrated", "from": "A", "to": "B", "source": 2000, "rows": 1000, "withoutValue": 0,
         "filtered": 1000, "refused": 0, "leftOut": 0}]}
        """#)
    #expect(run.output.contains("“A” to “B”, 1,000 migrated, 1,000 filtered\n"), "\(run.output)")
  }

  @Test("one job is shown by the job's name or the drop's name")
  func oneJob() {
    #expect(asked("J-7").output.hasPrefix("Notas.sqlite  [####------]  42 %"))
    #expect(asked("Slow").output.hasPrefix("Slow.sqlite (job J-3) waits"))
    #expect(asked("Una").output.hasPrefix("Una.sqlite (job J-9) is queued"))
    let failed = asked("Letter").output
    #expect(failed.contains("Drop another.") && failed.hasSuffix("/s/failed/J-2\n"))
    let unknown = asked("nothing")
    #expect(unknown.code == 66 && unknown.output.isEmpty)
    #expect(unknown.messages.contains("knows no job or drop “nothing”"))
  }

  @Test("the trouble of a family is shown once, and a job that waits for the family names it")
  func familyOnce() throws {
    let words = "family.json5 has no “inferense”."
    let status = """
      {"version": "1", "state": "running",
       "checks": [{"name": "families", "ok": true, "warning": true, "message": "1 job waits. \(words)"}],
       "families": [{"family": "Bad", "message": "1 job waits. \(words)", "waiting": 1}],
       "waiting": [{"job": "J-1", "drop": "A", "store": "A.sqlite", "cause": "catalogue", "message": "\(words)"}]}
      """
    let run = asked(status: status)
    #expect(run.output.components(separatedBy: "inferense").count == 2, "\(run.output)")
    #expect(run.output.contains("[!] families: 1 family has trouble; see below\n"), "\(run.output)")
    #expect(run.output.contains("A.sqlite (job J-1) waits: catalogue, for the family “Bad”\n"), "\(run.output)")
    #expect(asked("A", status: status).output.contains(words), "one job alone has its reason")
  }

  @Test("a refused store that was dropped again isn't shown as refused, and a blocked drop says why")
  func droppedAgain() throws {
    try folder.write("", to: "failed/J-2/reason.json")
    let status = SampleStatus.json.replacing("/s/failed/J-2", with: folder.path("failed/J-2"))
    #expect(asked("Letter", status: status).output.contains("failed: Letter"))
    #expect(!asked("Letter", status: status).output.contains("was dropped again"))
    try FileManager.default.removeItem(atPath: folder.path("failed/J-2"))
    let again = asked("Letter", status: status).output
    #expect(again.hasPrefix("The refused store has left “failed”: it was dropped again"), "\(again)")
    let blocked = asked("p.sqlite").output
    #expect(blocked.contains("can't be taken:") && blocked.contains("Fix it with: chmod g+r"), "\(blocked)")
  }

  @Test("a command in advice has the options that name the same daemon")
  func sameDaemon() throws {
    try folder.write("{ spool: 's', socket: 'h' }", to: "my d.json5")
    let file = folder.path("my d.json5")
    let command = try #require(CommandLineTool.commands.first { $0.name == "submit" })
    let arguments = try Arguments(["N", "--config", file, "--spool", "s"], of: command)
    let failure = CommandFailure(
      .stopped, "m",
      advice: "“decant status 'N'” shows it. “decant nothing” and “decant retry J --spool x” too.")
    #expect(
      failure.naming(arguments, CommandLineTool.commands).advice
        == "“decant status 'N' --config '\(file)'” shows it. “decant nothing” and “decant retry J --spool x --config "
        + "'\(file)'” too.")
    #expect(failure.naming(try Arguments(["N"], of: command), CommandLineTool.commands) == failure)
    let cancel = Captured(["cancel", "J-77", "--config", file])
    #expect(cancel.code == 69, "\(cancel.messages)")
    try folder.write("{ spool: ", to: "broken.json5")
    let broken = Captured(["status", "--config", folder.path("broken.json5")])
    #expect(
      broken.code == 78 && broken.messages.contains("--socket names the daemon's socket."),
      "\(broken.messages)")
    #expect(!broken.messages.contains("--spool"), "\(broken.messages)")
    let forget = Captured(["forget", "J-1", "--config", folder.path("broken.json5")])
    #expect(
      forget.messages.contains("--spool names the daemon's spool.") && !forget.messages.contains("--socket"),
      "\(forget.messages)")
  }

  @Test("a refused drop has Core Data's code, as its reason.json does")
  func coreDataCode() throws {
    var status = try SampleStatus.values()
    status.results?[0].coreDataCode = 259
    let result = try #require(status.results?.first)
    #expect(DropOutcome(result, spool: "/s", drop: "Letter").failure.coreDataCode == 259)
    try folder.write(
      #"{"job": "J-2", "drop": "Letter", "reason": "not-sqlite", "message": "m", "coreDataCode": 259}"#,
      to: "failed/J-2/reason.json")
    let paper = DropOutcome.ofJob("J-2", drop: "Letter", in: folder.path("."))
    #expect(paper?.failure.coreDataCode == 259)
  }

  @Test("--json gives the daemon's own keys, also unknown keys, and one job with its list")
  func json() throws {
    let all = asked("--json").output
    let given = try JSONSerialization.jsonObject(with: Data(SampleStatus.json.utf8)) as? NSDictionary
    let printed = try JSONSerialization.jsonObject(with: Data(all.utf8)) as? NSDictionary
    #expect(printed != nil && printed == given)
    let job = asked("Letter", "--json").output
    #expect(job.contains("\"list\": \"results\"") && job.contains("\"reason\": \"not-sqlite\""))
    let unknown = asked("x", "--json")
    #expect(unknown.code == 66 && unknown.output.contains("\"reason\": \"no-such-job\""))
  }

  @Test("each line fits into 40 columns, and a number stays with its unit")
  func narrow() throws {
    let lines = StatusText(try SampleStatus.values(), width: 40).lines
    for line in lines where !line.contains("Fix it with") {
      #expect(DisplayWidth.columns(of: line) <= 40, "\(line)")
      #expect(!["s", "MiB", "KiB"].contains(line.trimmingCharacters(in: .whitespaces)), "\(lines)")
    }
    #expect(lines.contains("  Notas.sqlite") && lines.contains("    [####------]  42 %  about 12 s left"))
  }

  @Test("names from stores can't move the cursor")
  func hostileNames() {
    let run = asked(
      status: #"""
        {"version": "1", "state": "running", "running": [{"job": "j", "store": "a\u001b[2Jb", "seconds": 1,
         "progress": null}], "blocked": [{"drop": "x\ny", "message": "m\u0007", "command": "rm \u001b[1m"}]}
        """#)
    #expect(run.code == 0)
    #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(run.output)")
    #expect(run.output.contains("a\\u{1b}[2Jb"))
  }

  @Test("without a daemon the exit code is 69: no socket, a dead socket, or a file")
  func noDaemon() throws {
    let none = Captured(["status", "--socket", folder.path("none")])
    #expect(none.code == 69 && none.output.isEmpty)
    #expect(none.messages.contains("there is no “\(folder.path("none"))”"))
    #expect(none.messages.contains("Start decantd"))
    let server = SocketServer(folder.path("dead"), answer: "")
    server.stop()
    // The server's thread closes the socket a little later.
    var dead = Captured(["status", "--socket", folder.path("dead")])
    for _ in 0..<500 where dead.code != 69 {
      usleep(10_000)
      dead = Captured(["status", "--socket", folder.path("dead")])
    }
    #expect(dead.code == 69 && dead.messages.contains("no process answers"))
    try folder.write("x", to: "file")
    let file = Captured(["status", "--socket", folder.path("file"), "--json"])
    #expect(file.code == 69 && file.output.contains("\"reason\": \"no-daemon\""))
    #expect(file.messages.contains("isn't a socket"))
    let long = Captured(["status", "--socket", "/" + String(repeating: "a", count: 107)])
    #expect(long.code == 64, "\(long.messages)")
  }

  @Test("the exit code is 70 for nonsense, and 74 for an answer that ends too early")
  func nonsense() {
    for (answer, code) in [
      ("SSH-2.0-OpenSSH_9.2\r\n", Int32(70)), ("HTTP/1.1 404 Not Found\r\n\r\nno", 70),
      ("HTTP/1.1 200 OK\r\n\r\n{}", 70), ("HTTP/1.1 200 OK\r\n\r\n[1", 70),
      ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", 74), ("", 74),
    ] {
      let server = SocketServer(folder.path("h"), answer: answer)
      let run = Captured(["status", "--socket", folder.path("h")])
      #expect(run.code == code && run.output.isEmpty, "\(answer): \(run.messages)")
      server.stop()
      unlink(folder.path("h"))
    }
  }

  @Test("the command doesn't wait forever for a silent daemon")
  func silent() throws {
    let server = SocketServer(folder.path("h"), answer: "", isSilent: true)
    defer { server.stop() }
    var client = HealthClient(path: folder.path("h"))
    client.patience = 0.2
    do throws(CommandFailure) {
      _ = try client.ask("/status")
      Issue.record("It waits for ever.")
    } catch {
      #expect(error.exitCode == 74 && error.message.contains("has not answered"))
    }
  }

  @Test("no permission exits with 77", .enabled(if: geteuid() != 0, "Skipped: root may use every socket."))
  func permission() {
    let server = SocketServer(folder.path("h"), answer: "")
    defer { server.stop() }
    chmod(folder.path("h"), 0)
    #expect(Captured(["status", "--socket", folder.path("h")]).code == 77)
  }

  @Test("users who may drop stores but not use the socket are told where to look")
  func dropOnly() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("spool/incoming"), withIntermediateDirectories: true)
    var place = DaemonPlace()
    place.socket = folder.path("h")
    func words(_ spool: String) throws -> CommandFailure {
      place.spool = folder.path(spool)
      let place = place
      return try #require(
        #expect(throws: CommandFailure.self) {
          try place.asking { () throws(CommandFailure) in
            throw CommandFailure(.permission, "no")
          }
        })
    }
    let dropper = try words("spool")
    #expect(dropper.exitCode == 77 && dropper.message.hasPrefix("You may drop stores, but not use the socket"))
    #expect(dropper.advice.contains("“\(folder.path("spool"))/done”") && dropper.advice.contains("--wait"))
    let stranger = try words("none")
    #expect(stranger.exitCode == 77 && stranger.message.hasPrefix("You may not use the socket"))
    #expect(stranger.message.contains("Members of the group “") && stranger.advice.contains("to that group"))
    // Without the socket's folder, no group is known.
    place.socket = folder.path("none/h")
    let unknown = try words("none")
    #expect(!unknown.message.contains("group") && !unknown.advice.contains("group"), "\(unknown)")
    #expect(throws: CommandFailure(.noDaemon, "off")) {
      try place.asking { () throws(CommandFailure) in throw CommandFailure(.noDaemon, "off") }
    }
  }

  @Test("the request is a GET of /status that asks to close the connection")
  func request() {
    let server = SocketServer(folder.path("h"), status: SampleStatus.json)
    defer { server.stop() }
    #expect(Captured(["status", "--socket", folder.path("h")]).code == 0)
    #expect(server.request.hasPrefix("GET /status HTTP/1.1\r\n"))
    #expect(server.request.contains("Connection: close\r\n"))
  }

  @Test("the configuration names the socket; a relative path starts at the configuration's folder")
  func configuration() throws {
    try folder.write("// mine\n{ socket: 'h', spool: '/s', workers: 'the daemon checks that' }", to: "d.json5")
    let place = try DaemonPlace(configuration: folder.path("d.json5"))
    #expect(place.socket == folder.path("h") && place.spool == "/s")
    let server = SocketServer(folder.path("h"), status: SampleStatus.json)
    defer { server.stop() }
    #expect(Captured(["status", "--config", folder.path("d.json5")]).code == 0)
    #expect(Captured(["status", "--config", folder.path("none.json5")]).code == 66)
    try folder.write("{ socket: 7 }", to: "bad.json5")
    let bad = Captured(["status", "--config", folder.path("bad.json5")])
    #expect(bad.code == 78 && bad.messages.contains("“socket” is 7, but has to be a path in quotes"))
    try folder.write("{ socket: ", to: "broken.json5")
    #expect(Captured(["status", "--config", folder.path("broken.json5")]).code == 78)
    // The parts of a configuration that can't be found are missing input, not output that can't be created.
    let (loop, gone) = (folder.path("loop.json5"), folder.path("gone.json5"))
    #expect(symlink("loop.json5", loop) == 0)
    for path in ["gone.json5", "no-folder.json5", "no-folder.json5.d"] { try folder.write("{}", to: path) }
    #expect(mkdir(gone + ".d", 0o755) == 0 && symlink("nothing", gone + ".d/10.json5") == 0)
    for path in [loop, gone, folder.path("no-folder.json5")] {
      let run = Captured(["status", "--config", path])
      #expect(run.code == 66 && run.messages.contains("can't be read"), "\(run.messages)")
    }
    // With both options, --socket counts.
    #expect(Captured(["status", "--config", folder.path("d.json5"), "--socket", folder.path("x")]).code == 69)
  }

  @Test("a second argument is wrong use")
  func surplus() { #expect(Captured(["status", "a", "b"]).code == 64) }
}
