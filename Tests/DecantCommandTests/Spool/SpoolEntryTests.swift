import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// Finished jobs, without a daemon.
///
/// `TalkTests` has tests with a daemon.
@Suite("decant retry and decant forget")
struct SpoolEntryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["incoming", "done", "failed"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("spool/\(name)"), withIntermediateDirectories: true)
    }
    for (job, drop, reason) in [
      ("J-1", "Notas", "not-sqlite"), ("J-2", "Otra", "unknown-version"), ("J-3", "Una", "not-sqlite"),
    ] {
      try folder.write(
        #"{"drop": "\#(drop)", "job": "\#(job)", "reason": "\#(reason)"}"#,
        to: "spool/failed/\(job)/reason.json")
      try folder.write("store", to: "spool/failed/\(job)/original/\(drop).sqlite")
      try folder.write("{ to: '2' }", to: "spool/failed/\(job)/original/\(drop).sqlite.request.json5")
    }
    try folder.write(#"{"drop": "Old", "job": "J-0"}"#, to: "spool/done/Old/report.json")
    try folder.write("store", to: "spool/done/Old/Old.sqlite")
  }

  private func run(_ arguments: String...) -> Captured {
    Captured(arguments + ["--spool", folder.path("spool")])
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("spool/" + path)).sorted()
  }

  @Test("with --dry-run retry prints what it would drop, and changes nothing")
  func dryRun() throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path("spool")).sorted()
    let one = run("retry", "J-1", "--dry-run")
    let all = run("retry", "--all", "--reason", "not-sqlite", "--dry-run")
    let json = run("retry", "J-1", "--dry-run", "--json")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("spool")).sorted() == before)
    #expect(one.code == 0 && all.code == 0 && all.messages.contains("nothing was changed"), "\(all)")
    #expect(run("retry", "J-1", "--from-start", "--dry-run").code == 64)
    #expect(run("retry", "none", "--dry-run").code == 66)
    // The retry then does what was printed.
    #expect(
      json.output == run("retry", "J-1", "--json").output
        && one.output.hasPrefix(folder.path("spool/incoming/")))
  }

  @Test("retry moves the original back under its name, with its request, and removes the job's files")
  func retry() throws {
    let run = run("retry", "J-1")
    #expect(run.code == 0 && run.output == folder.path("spool/incoming/Notas") + "\n")
    #expect(try names("incoming/Notas") == ["Notas.sqlite", "Notas.sqlite.request.json5"])
    #expect(try names("failed") == ["J-2", "J-3"])
    #expect(self.run("retry", "J-1").code == 66)
  }

  @Test("a taken name gets a number, and nothing is replaced")
  func taken() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("spool/incoming/Notas"), withIntermediateDirectories: true)
    #expect(run("retry", "J-1").output == folder.path("spool/incoming/Notas-2") + "\n")
    #expect(try names("incoming/Notas").isEmpty)
  }

  @Test("--all takes the stores of one reason only")
  func all() throws {
    let run = run("retry", "--all", "--reason", "not-sqlite")
    #expect(
      run.code == 0
        && run.lines.dropLast() == ["Notas", "Una"].map { folder.path("spool/incoming/\($0)") }[...])
    #expect(run.messages == "decant: Dropped 2 stores again.\n")
    #expect(try names("failed") == ["J-2"])
    #expect(self.run("retry", "--all", "--reason", "not-inferable").code == 0)
    let unknown = self.run("retry", "--all", "--reason", "unknwon-version")
    #expect(unknown.code == 64 && unknown.messages.contains("Did you mean “unknown-version”?"))
    #expect(try names("failed") == ["J-2"])
    #expect(self.run("retry", "J-2", "--json").output.contains("\"job\": \"J-2\""))
  }

  @Test("wrong arguments are refused: none, --all without a reason, a reason without --all, a job with --all")
  func usage() throws {
    for arguments in [
      ["retry"], ["retry", "--all"], ["retry", "--reason", "x"], ["retry", "J-1", "--all", "--reason", "x"],
      ["retry", "J-1", "--reason", "not-sqlite"],
    ] {
      #expect(Captured(arguments + ["--spool", folder.path("spool")]).code == 64, "\(arguments)")
    }
    #expect(try names("failed") == ["J-1", "J-2", "J-3"])
  }

  @Test("if a drop's name can't be a folder's name, the job's name is used; a missing original is named")
  func oddNames() throws {
    try folder.write(#"{"drop": "../../x", "job": "J-4"}"#, to: "spool/failed/J-4/reason.json")
    #expect(run("retry", "J-4").code == 66)
    try folder.write("store", to: "spool/failed/J-4/original/a.sqlite")
    #expect(run("retry", "J-4").output == folder.path("spool/incoming/J-4") + "\n")
    #expect(try names("") == ["done", "failed", "incoming"])
  }

  @Test("with --dry-run forget says what it would remove, and changes nothing")
  func forgetDryRun() throws {
    try folder.write("rest", to: "spool/done/.gone-Half/report.json")
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path("spool")).sorted()
    let run = run("forget", "Old", "--dry-run")
    let rest = self.run("forget", "Half", "--dry-run")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("spool")).sorted() == before)
    #expect(
      run.code == 0
        && run.messages
          == "decant: Would remove \(folder.path("spool/done/Old")), 2 files, 34 bytes; nothing was changed.\n",
      "\(run.messages)")
    #expect(rest.code == 0 && rest.messages.hasPrefix("decant: Would remove "), "\(rest.messages)")
    #expect(self.run("forget", "none", "--dry-run").code == 66)
  }

  @Test("forget removes only the named folder of failed or done, by job or by name")
  func forget() throws {
    #expect(run("forget", "J-2").code == 0)
    #expect(try names("failed") == ["J-1", "J-3"])
    let old = run("forget", "Old")
    #expect(old.code == 0 && old.messages == "decant: Removed \(folder.path("spool/done/Old")).\n")
    #expect(try names("done").isEmpty && names("failed") == ["J-1", "J-3"])
    for name in ["Old", "..", ".", "J-9", "../failed/J-1"] {
      #expect(run("forget", name).code == 66, "\(name)")
    }
    #expect(try names("failed") == ["J-1", "J-3"])
    #expect(Captured(["forget", "J-1", "--spool", folder.path("nowhere")]).code == 66)
  }

  @Test("a folder without reason.json or report.json isn't a job's and stays")
  func stranger() throws {
    try folder.write("mine", to: "spool/done/Mine/file")
    #expect(run("forget", "Mine").code == 66)
    #expect(try names("done") == ["Mine", "Old"])
  }

  @Test("if one store can't be dropped, the others are; the exit code is that of the failure")
  func goesOn() throws {
    try FileManager.default.removeItem(atPath: folder.path("spool/failed/J-1/original"))
    let run = run("retry", "--all", "--reason", "not-sqlite", "--json")
    #expect(run.code == 66 && run.messages.contains("has no folder “original”"), "\(run.messages)")
    let entries = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
    #expect(entries?.map { $0["job"] as? String } == ["J-1", "J-3"])
    #expect(entries?.first?["error"] != nil && entries?.last?["path"] != nil)
    #expect(try names("incoming") == ["Una"] && names("failed") == ["J-1", "J-2"])
  }

  @Test("a reason that this version doesn't know is accepted if a store has it")
  func laterReason() throws {
    try folder.write(#"{"drop": "Nueva", "job": "J-5", "reason": "later"}"#, to: "spool/failed/J-5/reason.json")
    try folder.write("store", to: "spool/failed/J-5/original/a.sqlite")
    #expect(run("retry", "--all", "--reason", "later").output == folder.path("spool/incoming/Nueva") + "\n")
  }

  @Test("a drop keeps its name, whatever bytes it has")
  func escapedNames() throws {
    try folder.write(#"{"drop": "a\\\\b\\x0ac", "job": "J-4"}"#, to: "spool/failed/J-4/reason.json")
    try folder.write("store", to: "spool/failed/J-4/original/a.sqlite")
    #expect(run("retry", "J-4").code == 0)
    #expect(try names("incoming") == ["a\\b\nc"])
    try folder.write(#"{"drop": "\\xff", "job": "J-4"}"#, to: "spool/failed/J-4/reason.json")
    try folder.write("store", to: "spool/failed/J-4/original/a.sqlite")
    #expect(run("retry", "J-4").output == folder.path("spool/incoming/\\xff") + "\n")
    #expect(try names("failed") == ["J-1", "J-2", "J-3"])
  }

  @Test("a drop's name means its latest job; a folder's name takes precedence")
  func dropNames() throws {
    try folder.write(
      #"{"drop": "Notas", "job": "J-8", "reason": "not-sqlite"}"#, to: "spool/failed/J-8/reason.json")
    try folder.write("new", to: "spool/failed/J-8/original/Notas.sqlite")
    #expect(run("retry", "Notas").code == 0)
    #expect(try names("failed") == ["J-1", "J-2", "J-3"])
    #expect(run("forget", "Notas").code == 0)
    #expect(try names("failed") == ["J-2", "J-3"])
    try folder.write(#"{"drop": "Old", "job": "J-9"}"#, to: "spool/failed/J-9/reason.json")
    #expect(run("forget", "Old").code == 0)
    #expect(try names("done").isEmpty && names("failed") == ["J-2", "J-3", "J-9"])
  }

  @Test("the remains of an interrupted removal hinder no command, and forget removes them")
  func rests() throws {
    try folder.write("half", to: "spool/failed/.gone-J-1/original/Notas.sqlite")
    #expect(run("retry", "J-1").code == 0)
    #expect(try names("failed") == ["J-2", "J-3"])
    try folder.write("half", to: "spool/failed/.gone-J-2/original/Notas.sqlite")
    #expect(run("forget", "J-2").code == 0)
    try folder.write("half", to: "spool/done/.gone-Notas/Notas.sqlite")
    #expect(run("forget", "Notas").code == 0)
    #expect(try names("failed") == ["J-3"] && names("done") == ["Old"])
    #expect(run("forget", "Notas").code == 66)
  }

  @Test(
    "without permission the exit code is 77, and nothing is changed",
    .enabled(if: geteuid() != 0, "Skipped: root may do everything."))
  func permission() throws {
    chmod(folder.path("spool/failed"), 0o500)
    #expect(run("forget", "J-1").code == 77)
    chmod(folder.path("spool/failed"), 0o700)
    chmod(folder.path("spool/failed/J-1"), 0)
    #expect(run("forget", "J-1").code == 77)
    chmod(folder.path("spool/failed/J-1"), 0o700)
    chmod(folder.path("spool"), 0)
    #expect(run("retry", "J-1").code == 77)
    chmod(folder.path("spool"), 0o700)
    #expect(try names("failed") == ["J-1", "J-2", "J-3"])
  }
}
