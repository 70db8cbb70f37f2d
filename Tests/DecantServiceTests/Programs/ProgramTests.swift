import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// The programs of `onDone` and `onFailed`, as shell scripts.
@Suite("Programs after a job")
struct ProgramTests {
  /// Writes a script, and returns its path.
  private func script(_ text: String, _ fixture: DaemonFixture, _ name: String = "hook.sh") throws -> String {
    try fixture.folder.write("#!/bin/sh\n" + text + "\n", to: name)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: fixture.folder.path(name))
    return fixture.folder.path(name)
  }

  private func output(_ fixture: DaemonFixture) -> [String] {
    ((try? fixture.folder.text("out")) ?? "").split(separator: "\n").map(String.init)
  }

  private func notes(_ fixture: DaemonFixture) -> [String] {
    (try? fixture.folder.names("spool/.programs")) ?? []
  }

  @Test(
    "a program gets the job in its environment, its arguments unchanged, and no variable of the daemon")
  func environment() throws {
    let fixture = try DaemonFixture()
    let path = try script(
      #"{ echo "$@"; env | sort; } >> "$OUT_PLACE/out""#.replacing("$OUT_PLACE", with: fixture.folder.path),
      fixture)
    fixture.configuration.onDone = [path, "a b", "$HOME", "*"]
    fixture.configuration.onFailed = [path]
    try fixture.start()
    try fixture.put("migrate", "a b.sqlite")
    #expect(fixture.turn { notes(fixture).isEmpty && output(fixture).contains("DECANT_EVENT=done") })
    let lines = output(fixture)
    let place = fixture.folder.path("spool/done/a b.sqlite")
    #expect(lines.first == "a b $HOME *")
    for line in [
      "DECANT_DROP=a b.sqlite", "DECANT_STORE=a b.sqlite", "DECANT_FOLDER=\(place)", "DECANT_RESULT=migrated",
      "DECANT_FAMILY=Notas",
      "DECANT_PATH=\(place)/a b.sqlite", "DECANT_REPORT=\(place)/report.json",
      "DECANT_SPOOL=\(fixture.configuration.spool)", "PATH=/usr/local/bin:/usr/bin:/bin",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(!lines.contains { $0.hasPrefix("HOME=") })
    try fixture.put("refuse", "r.sqlite")
    #expect(fixture.turn { notes(fixture).isEmpty && output(fixture).contains("DECANT_EVENT=failed") })
    let job = try #require(try fixture.failed().first)
    #expect(
      output(fixture).contains("DECANT_PATH=\(fixture.folder.path("spool/failed/\(job)"))/original/r.sqlite"))
    #expect(output(fixture).contains { $0.hasPrefix("DECANT_REASON=") })
  }

  @Test(
    "a program that fails, is missing, hangs or writes too much is a warning, and the job isn't changed",
    arguments: [
      ("echo oops >&2; exit 3", "ended with exit code 3"), ("kill -SEGV $$", "was ended by signal 11"),
      ("trap '' TERM; while :; do sleep 0.05; done", "because it took more than 1 s"),
      ("yes | head -n 100000; exit 1", "(further lines are left out)"), ("", "can't be started: No such file"),
    ])
  func failure(text: String, words: String) throws {
    let fixture = try DaemonFixture()
    fixture.configuration.onDone = [text.isEmpty ? "/nowhere/program" : try script(text, fixture)]
    fixture.configuration.programSeconds = 1
    let daemon = try fixture.start()
    try fixture.put("migrate", "a.sqlite")
    #expect(
      fixture.turn { daemon.context.events.totals.failedPrograms == 1 && !daemon.departures.programs.isBusy })
    let journal = try fixture.journal()
    #expect(journal.contains(words), "\(journal.suffix(2000))")
    #expect(try fixture.done() == ["a.sqlite"] && notes(fixture).isEmpty)
    if text.hasPrefix("echo") { #expect(try fixture.journal().contains("hook.sh says: oops")) }
  }

  @Test("at most four programs run at a time, and all of them run")
  func width() throws {
    let fixture = try DaemonFixture()
    fixture.configuration.onDone = [
      try script("echo $DECANT_JOB >> \(fixture.folder.path)/out; cat < \(fixture.folder.path)/gate", fixture)
    ]
    mkfifo(fixture.folder.path("gate"), 0o600)
    let daemon = try fixture.start()
    for number in 1...7 { try fixture.put("migrate", "s\(number).sqlite") }
    #expect(try fixture.turn { try fixture.done().count == 7 && output(fixture).count == 4 })
    #expect(notes(fixture).count == 7)
    let gate = open(fixture.folder.path("gate"), O_RDWR)
    close(open(fixture.folder.path("gate"), O_WRONLY | O_NONBLOCK))
    // Each program reads until no writer is left.
    close(gate)
    #expect(
      fixture.turn {
        close(open(fixture.folder.path("gate"), O_WRONLY | O_NONBLOCK))
        return notes(fixture).isEmpty && !daemon.departures.programs.isBusy
      })
    #expect(Set(output(fixture)).count == 7)
  }

  @Test("after a crash a program runs again, unless it isn't in the settings any more")
  func crash() throws {
    let fixture = try DaemonFixture()
    fixture.configuration.onDone = [try script("echo run >> \(fixture.folder.path)/out; sleep 60", fixture)]
    try fixture.start()
    try fixture.put("migrate", "a.sqlite")
    #expect(fixture.turn { output(fixture).count == 1 })
    fixture.drop()
    #expect(notes(fixture).count == 1)
    try fixture.start()
    #expect(fixture.turn { output(fixture).count == 2 })
    fixture.drop()
    fixture.configuration.onDone = nil
    try fixture.start()
    #expect(fixture.turn { notes(fixture).isEmpty })
    #expect(output(fixture).count == 2)
    #expect(try fixture.done() == ["a.sqlite"])
  }

  @Test("without space for the program's note, the departure waits, and nothing is lost")
  func disk() throws {
    let fixture = try DaemonFixture()
    fixture.configuration.onDone = [try script("echo $DECANT_FOLDER >> \(fixture.folder.path)/out", fixture)]
    // A file in the folder's place makes the note fail.
    try fixture.folder.write("", to: "spool/.programs")
    let daemon = try fixture.start()
    try fixture.put("migrate", "a.sqlite")
    #expect(fixture.turn { daemon.context.events.troubles["departure"] != nil })
    #expect(try fixture.done() == ["a.sqlite"] && fixture.work().count == 1)
    unlink(fixture.folder.path("spool/.programs"))
    #expect(
      try fixture.turn { try fixture.work().isEmpty && notes(fixture).isEmpty && !output(fixture).isEmpty })
    #expect(output(fixture) == [fixture.folder.path("spool/done/a.sqlite")])
  }

  @Test("a stop waits for a program as long as for a chunk")
  func stop() throws {
    let fixture = try DaemonFixture { $0.stopSeconds = 0.3 }
    fixture.configuration.onDone = [try script("echo run >> \(fixture.folder.path)/out; sleep 60", fixture)]
    let daemon = try fixture.start()
    try fixture.put("migrate", "a.sqlite")
    #expect(fixture.turn { output(fixture).count == 1 })
    daemon.requestStop()
    #expect(fixture.turn { daemon.isFinished })
    #expect(try fixture.journal().contains("A program of onDone or onFailed didn't end within 0.3 s"))
    #expect(notes(fixture).count == 1)
  }
}
