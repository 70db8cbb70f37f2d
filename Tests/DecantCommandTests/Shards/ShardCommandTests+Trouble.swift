import CommandSupport
import DecantTestSupport
import Foundation
import Testing

/// Effects of schedulers and file systems on a shard.
extension ShardCommandTests {
  @Test("two SIGTERM are one stop, because a scheduler and its script may both send one")
  func stopTwice() throws {
    try fixture.store("big.sqlite", notes: 40_000)
    _ = try manifest(["big.sqlite"])
    let line =
      "$run --chunk-size 50 2> $d/talk & p=$!; until compgen -G \"$d/decant-*/*/w*/step-1.sqlite.partial\" > /dev/null || "
      + "! kill -0 $p; do :; done; kill -TERM $p; kill -TERM $p; wait $p"
    let stopped = try shell(line)
    let talk = try String(contentsOfFile: folder.path("talk"), encoding: .utf8)
    #expect(stopped.code == 75, "\(stopped) \(talk)")
    #expect(!talk.contains("Stopped at once") && !talk.contains("Press"), "\(talk)")
    #expect(talk.contains("decant: Stopping after this chunk.\n"), "\(talk)")
    #expect(stopped.output.contains("Stopped; the same command continues from here."))
  }

  @Test("with one bad ledger, the sum of the others is still shown")
  func badLedger() throws {
    try fixture.store("a.sqlite")
    _ = try manifest(["a.sqlite"])
    #expect(try shell("$run").code == 0)
    try folder.write("text\n", to: "out/ledger/0.jsonl")
    let sum = Captured(["ledger", folder.path("out/ledger"), "--retry", folder.path("again")])
    #expect(sum.code == 64 && sum.messages.contains("0.jsonl is not a ledger"), "\(sum.messages)")
    #expect(sum.output.contains("1 ledger: 1 done, 0 refused"), "\(sum.output)")
  }

  @Test(
    "stores of a file system that is lost during the run are tried again",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func lostMount() throws {
    try fixture.store("a.sqlite")
    let names = (1...3).map { "vol/s\($0).sqlite" }
    _ = try manifest(["a.sqlite"] + names)
    // The folder of the missing stores is on another file system than all stores that were found.
    let run = try shell(
      "mkdir $d/vol; unshare -m bash -c 'mount -t tmpfs none $d/vol; $run --json'")
    #expect(run.code == 75 && run.output.contains("\"later\": 3"), "\(run)")
    #expect(run.output.contains("\"done\": 1"), "\(run)")
  }

  @Test(
    "a store that was removed from a second file system is refused, in the first run and in the next one",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func removedElsewhere() throws {
    for name in ["a.sqlite", "b.sqlite"] { try fixture.store(name) }
    // The removed store comes before the store that shows that the file system is there.
    _ = try manifest(["a.sqlite", "vol/removed.sqlite", "vol/b.sqlite"])
    let runs = try shell(
      "mkdir $d/vol; unshare -m bash -c 'mount -t tmpfs none $d/vol; cp $d/b.sqlite $d/vol/; "
        + "for i in 1 2; do $run --jobs 1; echo code $?; done'")
    #expect(runs.output.components(separatedBy: "code 65").count == 3, "\(runs)")
    #expect(runs.output.contains("2 settled by an earlier run"), "\(runs)")
  }

  @Test("a name that isn't UTF-8 is refused with advice, and no other file is changed")
  func wordsOfBytes() throws {
    try fixture.store("a.sqlite")
    let line = "cp $d/a.sqlite $d/$'caf\\xe9.sqlite'; ln -s $'caf\\xe9.sqlite' $d/link.sqlite; $decant"
    for (words, code) in [
      ("verify $d/$'caf\\xe9.sqlite' $d/a.sqlite --models $d/Models", 64 as Int32),
      ("migrate $d/a.sqlite --models $d/Models --output $d/$'\\xe9.sqlite'", 64),
      ("verify $d/link.sqlite $d/a.sqlite --models $d/Models", 65),
    ] {
      let run = try shell("\(line) \(words)")
      #expect(run.code == code && run.messages.contains("\\xe9.sqlite"), "\(words): \(run)")
      #expect(
        run.messages.contains("isn't UTF-8") && run.messages.contains("to a name that is UTF-8"), "\(run)")
    }
    #expect(try fixture.names().allSatisfy { !$0.contains("\u{FFFD}.sqlite") || $0.hasPrefix("caf") })
  }
}
