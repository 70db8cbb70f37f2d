import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// Jobs that are over, without a daemon; `TalkTests` has one.
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

  @Test("retry moves the original back under its name, with its request, and removes the papers")
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
    #expect(self.run("retry", "--all", "--reason", "no-such-word").code == 0)
    #expect(try names("failed") == ["J-2"])
    #expect(self.run("retry", "J-2", "--json").output.contains("\"job\": \"J-2\""))
  }

  @Test("half a command is refused: a reason without --all, --all without a reason, both, none")
  func usage() throws {
    for arguments in [
      ["retry"], ["retry", "--all"], ["retry", "--reason", "x"], ["retry", "J-1", "--all", "--reason", "x"],
      ["retry", "J-1", "--reason", "not-sqlite"],
    ] {
      #expect(Captured(arguments + ["--spool", folder.path("spool")]).code == 64, "\(arguments)")
    }
    #expect(try names("failed") == ["J-1", "J-2", "J-3"])
  }

  @Test("a drop's name that can't be a folder's falls back to the job's, and a lost original is named")
  func oddNames() throws {
    try folder.write(#"{"drop": "../../x", "job": "J-4"}"#, to: "spool/failed/J-4/reason.json")
    #expect(run("retry", "J-4").code == 66)
    try folder.write("store", to: "spool/failed/J-4/original/a.sqlite")
    #expect(run("retry", "J-4").output == folder.path("spool/incoming/J-4") + "\n")
    #expect(try names("") == ["done", "failed", "incoming"])
  }

  @Test("forget removes a folder of failed or of done, by job or by name, and no other")
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

  @Test("a folder without papers is no job's and stays")
  func stranger() throws {
    try folder.write("mine", to: "spool/done/Mine/file")
    #expect(run("forget", "Mine").code == 66)
    #expect(try names("done") == ["Mine", "Old"])
  }

  @Test(
    "without permission it is 77, and nothing is changed",
    .enabled(if: geteuid() != 0, "Skipped: root may do everything."))
  func permission() throws {
    chmod(folder.path("spool/failed"), 0o500)
    #expect(run("forget", "J-1").code == 77)
    chmod(folder.path("spool/failed"), 0o700)
    #expect(try names("failed") == ["J-1", "J-2", "J-3"])
  }
}
