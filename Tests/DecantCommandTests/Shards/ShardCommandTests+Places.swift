import CommandSupport
import DecantReport
import DecantShards
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole

/// Folders and files that a shard needs, and the messages if they can't be used.
extension ShardCommandTests {
  @Test("a refused command leaves no folder, neither in the folder of --find nor in the output")
  func leavesNothing() throws {
    try fixture.store("a.sqlite")
    let inside = try shell(
      "mkdir $d/f; mv $d/a.sqlite $d/f/; "
        + "$decant migrate --find $d/f --models $d/Models --output $d/f/out")
    #expect(inside.code == 64 && inside.messages.contains("would be found as stores"), "\(inside)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("f")) == ["a.sqlite"])
    try folder.write("a.sqlite\n", to: "stores.txt")
    let relative = try shell("$run --ledger $d/ledgers/")
    #expect(relative.code == 64, "\(relative)")
    let wrong = try shell("$run --shard 1/0")
    #expect(wrong.code == 64, "\(wrong)")
    #expect(try fixture.names().filter { $0 == "out" || $0 == "ledgers" }.isEmpty)
  }

  @Test("a manifest without a store exits with 64, a folder without a store with 66; no output is made")
  func withoutStores() throws {
    _ = try manifest([])
    let empty = try shell("$run")
    #expect(empty.code == 64 && empty.messages.contains("names no store."), "\(empty)")
    let found = try shell("mkdir $d/none; $decant migrate --find $d/none --models $d/Models --output $d/out")
    #expect(found.code == 66 && found.messages.contains("has no SQLite file."), "\(found)")
    #expect(try !fixture.names().contains("out"))
  }

  @Test("a target version that no family has exits with 64 before any store is read")
  func unknownTarget() throws {
    try fixture.store("a.sqlite")
    _ = try manifest(["a.sqlite"])
    let run = try shell("$run --to 'Notes 33'")
    #expect(run.code == 64 && run.messages.contains("has a version “Notes 33”. “decant check”"), "\(run)")
    #expect(try !fixture.names().contains("out"))
    #expect(try shell("$run --to 'Notes 2'").code == 0)
  }

  @Test("the manifest of --retry gets its name only when it is complete, and replaces no file")
  func retryManifest() throws {
    let path = folder.path("again")
    try { () throws in
      let torn = try RetryManifest(path)
      try torn.add("/a")
      #expect(FileManager.default.fileExists(atPath: path + ".unfinished"))
    }()
    #expect(try fixture.names().filter { $0.hasPrefix("again") }.isEmpty)
    let late = try RetryManifest(path)
    try late.add("/a")
    try folder.write("mine", to: "again")
    #expect(throws: CommandFailure.self) { try late.finish() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("--retry with nothing left says so and writes no file")
  func nothingLeft() throws {
    try fixture.store("a.sqlite")
    _ = try manifest(["a.sqlite"])
    #expect(try shell("$run").code == 0)
    let again = folder.path("again")
    let sum = Captured(["ledger", folder.path("out/ledger"), "--retry", again])
    #expect(sum.code == 0 && sum.output.contains("Nothing is left to try again, so"), "\(sum.output)")
    #expect(!FileManager.default.fileExists(atPath: again))
  }

  @Test("an unreadable line of a ledger matters only while a store is missing")
  func unreadableLine() throws {
    for name in ["a.sqlite", "b.sqlite"] { try fixture.store(name) }
    let list = try manifest(["a.sqlite", "b.sqlite"])
    #expect(try shell("$run").code == 0)
    let ledger = folder.path("out/ledger/1-of-1.jsonl")
    var lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    lines[1] = "garbage"
    try (lines.joined(separator: "\n") + "\n").write(toFile: ledger, atomically: false, encoding: .utf8)
    let words = ["ledger", ledger, "--manifest", list]
    let before = Captured(words)
    #expect(before.code == 75 && before.output.contains("read: 1. Run the shard again"), "\(before.output)")
    #expect(try shell("$run").code == 0)
    let after = Captured(words)
    #expect(after.code == 0 && after.output.contains("read: 1. They matter no more"), "\(after.output)")
  }

  @Test("a scratch folder that can't be written exits with 66, because that of another machine may be good")
  func scratch() {
    for (code, exit) in [(EACCES, 66), (EROFS, 66), (ENOSPC, 75), (EBUSY, 75)] as [(Int32, Int32)] {
      let failure = CommandFailure(ShardError.scratch(path: "/s", action: "made", code: code))
      #expect(failure.exitCode == exit && !failure.advice.isEmpty, "\(failure)")
    }
    let closed = CommandFailure(ShardError.file(path: "/m", action: "read", code: EACCES))
    #expect(closed.exitCode == 77 && closed.advice.contains("Check the permissions of this path"), "\(closed)")
  }

  @Test(
    "a scratch folder that is read-only on this machine exits with 66, and the option is named",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func readOnlyScratch() throws {
    try fixture.store("a.sqlite")
    _ = try manifest(["a.sqlite"])
    let run = try shell(
      "mkdir $d/s; unshare -m bash -c 'mount -t tmpfs -o ro none $d/s; ${run/--scratch */--scratch $d/s}'")
    #expect(run.code == 66 && run.messages.contains("--scratch FOLDER"), "\(run)")
  }

  @Test("messages say what to do about a wrong file, a folder without a slash, and a byte order mark")
  func advice() throws {
    try fixture.store("a.sqlite")
    try folder.write("text\n", to: "four.txt")
    let ledger = Captured(["ledger", folder.path("four.txt")])
    #expect(ledger.code == 64 && ledger.messages.contains("Name ledgers, or a folder"), "\(ledger.messages)")
    _ = try manifest(["a.sqlite"])
    let slash = try shell("$run --ledger $d/Models")
    #expect(slash.code == 73 && slash.messages.contains("--ledger FOLDER/"), "\(slash)")
    try folder.write("\u{FEFF}\(folder.path("a.sqlite"))\n", to: "stores.txt")
    let mark = try shell("$run")
    #expect(mark.code == 64 && mark.messages.contains("record 1: it begins with a byte order mark"), "\(mark)")
  }
}
