import CommandSupport
import DecantShards
import DecantTestSupport
import FileNames
import Foundation
import Testing

/// `decant migrate --manifest` and `decant ledger`, as users and schedulers run them.
@Suite("Shards on the command line")
struct ShardCommandTests {
  let fixture: NotesFixture
  var folder: TemporaryFolder { fixture.folder }

  // The ledgers of these tests must be on a disk. In memory, two runs write within microseconds, and can tear each
  // other's lines.
  init() throws { fixture = try NotesFixture(in: URL(fileURLWithPath: "/var/tmp")) }

  func manifest(_ names: [String]) throws -> String {
    try folder.write(names.map { folder.path($0) + "\n" }.joined(), to: "stores.txt").path
  }

  private func words(_ more: [String] = []) -> [String] {
    [
      "migrate", "--manifest", folder.path("stores.txt"), "--models", fixture.catalogue, "--output",
      folder.path("out"),
    ] + more
  }

  /// Whether tests may mount file systems of their own.
  static let mayMount =
    (try? BinaryShell.run("unshare -m mount -t tmpfs none $d", in: TemporaryFolder(), [:]).code) == 0

  /// Runs a shell command.
  ///
  /// `$decant` is the binary, `$d` the fixture's folder, and `$run` the usual command.
  func shell(_ line: String) throws -> (code: Int32, output: String, messages: String) {
    try BinaryShell.run(
      line, in: folder,
      [
        "run":
          "\(Repository.program("decant")) migrate --manifest \(folder.path("stores.txt")) --models \(fixture.catalogue) "
          + "--output \(folder.path("out")) --scratch \(folder.url.path)"
      ])
  }

  @Test("wrong use exits with 64, and the option is named")
  func usage() throws {
    _ = try manifest(["Store.sqlite"])
    let cases: [(words: [String], text: String)] = [
      (words(["Store.sqlite"]), "can't be named beside a manifest"),
      (words(["--find", folder.url.path]), "can't be used together"),
      (words(["--dry-run"]), "“--dry-run” is for a single store"),
      (words(["--force"]), "“--force” is for a single store"),
      (words(["--shard", "9/8"]), "There is no shard 9 of 8"),
      (words(["--shard", "0/8"]), "There is no shard 0 of 8"),
      (words(["--shard", "3"]), "“3” isn't a shard"),
      (words(["--jobs", "0"]), "“--jobs” needs a whole number"),
      (["migrate", "--models", fixture.catalogue, "--output", folder.path("o")], "STORE is missing"),
      (
        ["migrate", "S", "--shard", "1/2", "--models", fixture.catalogue, "--output", "o"],
        "“--shard” is for many stores"
      ),
      (
        ["migrate", "--manifest=-", "--models", fixture.catalogue, "--output", folder.path("o")],
        "can't be standard input"
      ),
      (
        [
          "migrate", "--find", fixture.catalogue, "--models", fixture.catalogue, "--output", folder.path("o"),
          "--scratch", fixture.catalogue,
        ], "so its copies would be found as stores"
      ),
      (
        [
          "migrate", "--find", folder.url.path, "--models", fixture.catalogue, "--output", folder.path("o"),
        ], "its results would be found as stores"
      ),
    ]
    for (words, text) in cases {
      let run = Captured(words)
      #expect(run.code == 64, "\(words)")
      #expect(run.messages.contains(text), "\(run.messages)")
    }
    let gap = Captured(
      words(),
      environment: [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "3",
        "SLURM_ARRAY_TASK_MAX": "7",
      ])
    #expect(gap.code == 64 && gap.messages.contains("aren't consecutive"), "\(gap.messages)")
  }

  @Test("a missing manifest, catalogue or ledger exits with 66")
  func missing() throws {
    #expect(Captured(words()).code == 66)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    _ = try manifest([])
    #expect(
      Captured(["migrate", "--manifest", folder.path("stores.txt"), "--models", "none", "--output", "o"]).code
        == 66)
    #expect(Captured(["ledger", folder.path("none")]).code == 66)
    #expect(Captured(["ledger", fixture.catalogue]).messages.contains("There is no ledger in"))
  }

  @Test("exit codes: 0 if all are done, 65 if some are refused, 64 for another manifest; the ledger agrees")
  func codes() throws {
    try fixture.store("a.sqlite")
    try fixture.store("b.sqlite", version: "Notes 3")
    _ = try manifest(["a.sqlite", "b.sqlite"])
    let good = try shell("$run")
    #expect(good.code == 0, "\(good.messages)")
    #expect(good.output.contains("Shard 1/1: 2 of 2 stores, "))
    #expect(good.output.contains("1 of them had the target version already"))
    #expect(good.messages.contains("decant: Reading"))
    let sum = Captured(["ledger", folder.path("out/ledger"), "--manifest", folder.path("stores.txt")])
    #expect(
      sum.code == 0 && sum.output.contains("1 ledger: 2 done, 0 refused, 0 to try again, 0 missing, 0 twice."))

    try folder.write("garbage", to: "bad.sqlite")
    _ = try manifest(["a.sqlite", "bad.sqlite", "none.sqlite"])
    // Another manifest must have another ledger.
    let foreign = try shell("$run")
    #expect(foreign.code == 64 && foreign.messages.contains("is the ledger of another manifest"), "\(foreign)")
    let lost = try shell("$run --ledger $d/ledgers/second/")
    #expect(lost.code == 73 && lost.messages.contains("ledgers/second can't be made"), "\(lost)")
    let folder2 = try shell("mkdir $d/ledgers; $run --ledger $d/ledgers/second/")
    #expect(
      folder2.code == 65 && folder2.output.contains("Ledger: \(folder.path("ledgers/second/1-of-1.jsonl"))"))
    let refused = try shell("$run --ledger $d/second.jsonl --json")
    #expect(refused.code == 65, "\(refused)")
    #expect(refused.output.contains("\"not-sqlite\": 1"))
    let again = Captured(["ledger", folder.path("second.jsonl"), "--retry", folder.path("again"), "--json"])
    #expect(again.code == 65 && again.output.contains("\"refused\": 2"), "\(again.output)")
    let retry = try String(contentsOfFile: folder.path("again"), encoding: .utf8)
    #expect(
      Set(retry.split(separator: "\0")) == [
        Substring(folder.path("bad.sqlite")), Substring(folder.path("none.sqlite")),
      ])
    #expect(Captured(["ledger", folder.path("second.jsonl"), "--retry", folder.path("again")]).code == 73)

    try folder.write("}", to: "Models/Notes/family.json5")
    let broken = try shell("$run --ledger $d/second.jsonl")
    #expect(broken.code == 78, "\(broken)")
    #expect(broken.messages.contains("holds no family that can be used"), "\(broken)")
    // The refused runs have read no store.
    #expect(
      Captured(["ledger", folder.path("second.jsonl")]).output.contains("1 done, 2 refused, 0 to try again"))
  }

  @Test("stores of shards that never ran are missing, and the retry's manifest names them")
  func shards() throws {
    // Three stores for each shard, whatever the folder's name is.
    let names = try (1...3).flatMap { number in
      let shard = try Shard("\(number)/3")
      return (1...1000).map { "s\($0).sqlite" }.filter {
        shard.contains(PathKey(of: FileName(folder.path($0))))
      }
      .prefix(3)
    }
    for name in names { try fixture.store(name) }
    let manifest = try manifest(names)
    #expect(try shell("$run --shard 1/3").code == 0)
    #expect(try shell("SLURM_ARRAY_TASK_ID=11 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 $run").code == 0)
    let part = Captured(["ledger", folder.path("out/ledger")])
    #expect(part.code == 75 && part.output.contains("No ledger of 1 shard of 3: 3."), "\(part.output)")
    let exact = Captured([
      "ledger", folder.path("out/ledger"), "--manifest", manifest, "--retry", folder.path("again"),
    ])
    #expect(exact.code == 75, "\(exact.output)")
    let rest = try shell(
      "$decant migrate --manifest $d/again --models $d/Models --output $d/out --ledger $d/out/ledger/again.jsonl"
    )
    #expect(rest.code == 0, "\(rest)")
    let sum = Captured(["ledger", folder.path("out/ledger"), "--manifest", manifest, "--json"])
    #expect(
      sum.code == 0 && sum.output.contains("\"done\": 9") && sum.output.contains("\"twice\": 0"),
      "\(sum.output)")
  }

  @Test("after SIGTERM the exit code is 75, and the same command continues after the last chunk")
  func stop() throws {
    try fixture.store("big.sqlite", notes: 40_000)
    _ = try manifest(["big.sqlite"])
    let stopped = try shell(
      "$run --chunk-size 50 2> $d/talk & p=$!; until compgen -G \"$d/decant-*/*/w*/step-1.sqlite.partial\" > /dev/null || "
        + "! kill -0 $p; do :; done; kill -TERM $p; wait $p")
    let talk = try String(contentsOfFile: folder.path("talk"), encoding: .utf8)
    #expect(stopped.code == 75, "\(talk)")
    #expect(stopped.output.contains("Stopped; the same command continues from here."))
    #expect(Captured(["ledger", folder.path("out/ledger")]).code == 75)
    let rest = try shell("$run --chunk-size 50")
    #expect(rest.code == 0, "\(rest)")
    #expect(try fixture.names().filter { $0.hasPrefix("decant-") }.isEmpty)
  }

  @Test("a ledger that can't grow ends the run with 75, keeps only whole lines, and is continued")
  func full() throws {
    let names = (1...20).map { "none-\($0)-" + String(repeating: "x", count: 200) }
    // If no store of the manifest existed, all stores would be tried again.
    try folder.write("garbage", to: "bad.sqlite")
    _ = try manifest(names + ["bad.sqlite"])
    let full = try shell("ulimit -f 4; $run")
    #expect(full.code == 75, "\(full)")
    #expect(
      full.output.contains("Ended early:") && full.output.contains("too large. Raise the limit"),
      "\(full.output)")
    let ledger = try String(contentsOfFile: folder.path("out/ledger/1-of-1.jsonl"), encoding: .utf8)
    #expect(ledger.hasSuffix("\n"))
    #expect(try shell("$run").code == 65)
    let sum = Captured(["ledger", folder.path("out/ledger"), "--json"])
    #expect(
      sum.output.contains("\"refused\": 21") && sum.output.contains("\"unreadableLines\": 0"), "\(sum.output)")
  }

  @Test("a run that can't start never exits with 65, because a scheduler would take the shard for finished")
  func cannotStart() throws {
    try fixture.store("a.sqlite")
    _ = try manifest(["a.sqlite"])
    #expect(try shell("$run --shard 1/2").code == 0)
    let own = "--ledger $d/out/ledger/1-of-2.jsonl"
    try folder.write("/a\0b\n", to: "mixed.txt")
    try folder.write("a.sqlite\n", to: "relative.txt")
    try folder.write("/\(String(repeating: "x", count: 5000))\n", to: "long.txt")
    // The usual command with another manifest, output or catalogue.
    func with(_ name: String, _ other: String) -> String { "${run/\"$d/\(name)\"/$d/\(other)}" }
    let lines: [(line: String, code: Int32, text: String)] = [
      ("$run --shard 2/2 \(own)", 64, "of shard 1/2, not of 2/2"),
      ("\(with("out", "other")) --shard 1/2 \(own)", 64, "of another output"),
      ("$run --ledger $d/a.sqlite", 64, "not a ledger"), ("$run --ledger $d", 73, "directory"),
      ("$run --ledger /dev/null", 64, "not a regular file"),
      ("\(with("stores.txt", "mixed.txt")) --ledger $d/l", 64, "mixed.txt, record 2: it is the last path"),
      ("\(with("stores.txt", "relative.txt")) --ledger $d/l", 64, "isn't absolute"),
      ("\(with("stores.txt", "long.txt")) --ledger $d/l", 64, "longer than any path"),
      ("\(with("stores.txt", "")) --ledger $d/l", 64, "not a regular file"),
      ("\(with("stores.txt", "none")) --ledger $d/l", 66, "No such file"),
      (with("out", "none/out"), 73, "there is no folder"),
      (with("out", "a.sqlite"), 73, "can't be made"), (with("out", "a.sqlite/b"), 73, "can't be made"),
      ("mkdir $d/empty; \(with("Models", "empty")) --ledger $d/l", 78, "no family"),
    ]
    for (line, code, text) in lines {
      let run = try shell(line)
      #expect(run.code == code && run.messages.contains(text), "\(line): \(run)")
    }
  }

  @Test("if the manifest changes during the run, the exit code is 64, with the advice of the next start")
  func changedManifest() throws {
    try fixture.store("big.sqlite", notes: 20_000)
    _ = try manifest(["big.sqlite"])
    let during = try shell(
      "$run --chunk-size 50 2> $d/talk & p=$!; until compgen -G \"$d/decant-*/*/source\" > /dev/null || "
        + "! kill -0 $p; do :; done; echo $d/other.sqlite >> $d/stores.txt; wait $p")
    let talk = try String(contentsOfFile: folder.path("talk"), encoding: .utf8)
    let next = try shell("$run")
    for (code, messages) in [(during.code, talk), (next.code, next.messages)] {
      #expect(code == 64 && messages.contains("Put the earlier manifest back."), "\(code) \(messages)")
    }
    #expect(talk.contains("has changed since the run began"), "\(talk)")
  }

  @Test("two runs of one shard at the same time both succeed, and the ledger has each store once")
  func twoRuns() throws {
    let names = (1...16).map { "s\($0).sqlite" }
    for name in names { try fixture.store(name, notes: 300) }
    try folder.write("garbage", to: "bad.sqlite")
    let manifest = try manifest(names + ["bad.sqlite"])
    let both = try shell("$run --quiet & p=$!; $run --quiet; echo second $?; wait $p; echo first $?")
    #expect(both.output.contains("first 65") && both.output.contains("second 65"), "\(both)")
    let sum = Captured(["ledger", folder.path("out/ledger"), "--manifest", manifest])
    #expect(
      sum.code == 65 && sum.output.contains("1 ledger: 16 done, 1 refused, 0 to try again, 0 missing,"),
      "\(sum.output)")
    let left =
      try fixture.names().filter { $0.hasPrefix("decant-") }
      + FileManager.default.contentsOfDirectory(atPath: folder.path("out/.unfinished"))
    #expect(left.isEmpty, "\(left)")
    let again = try shell("$run")
    #expect(again.code == 65 && again.output.contains("17 settled by an earlier run"), "\(again)")
    #expect(again.output.contains("Refused: 1.\n  1 not-sqlite"), "\(again)")
  }

  @Test("a run whose ledger can't grow removes no line of a run at the same time")
  func fullBeside() throws {
    let names = (1...40).map { "none-\($0)-" + String(repeating: "x", count: 200) }
    let manifest = try manifest(names + ["a.sqlite"])
    try fixture.store("a.sqlite")
    let both = try shell(
      "(ulimit -f 4; $run --quiet > /dev/null; echo first $?) & $run --quiet > /dev/null; echo second $?; wait")
    #expect(both.output.contains("second 65"), "\(both)")
    // The other run may have written all lines before the first run writes one.
    #expect(both.output.contains("first 75") || both.output.contains("first 65"), "\(both)")
    let sum = Captured(["ledger", folder.path("out/ledger"), "--manifest", manifest, "--json"])
    for text in ["\"refused\": 40", "\"done\": 1", "\"missing\": 0", "\"unreadableLines\": 0"] {
      #expect(sum.output.contains(text), "\(text): \(sum.output)")
    }
  }

  @Test("a store that kills its worker twice is refused with its path, and the others are migrated")
  func killer() throws {
    for name in ["a.sqlite", "killer.sqlite", "b.sqlite"] { try fixture.store(name) }
    _ = try manifest(["a.sqlite", "killer.sqlite", "b.sqlite"])
    let worker = try FrailWorker.write(in: folder, decant: Repository.program("decant"))
    let killed = try shell("$run --worker \(worker) --json")
    #expect(killed.code == 65 && killed.output.contains("\"worker-died\": 1"), "\(killed)")
    let sum = Captured(["ledger", folder.path("out/ledger"), "--retry", folder.path("again")])
    #expect(sum.output.contains("2 done, 1 refused") && sum.output.contains("  1 worker-died"), "\(sum.output)")
    #expect(
      try String(contentsOfFile: folder.path("again"), encoding: .utf8) == folder.path("killer.sqlite") + "\0")
    #expect(try String(contentsOfFile: folder.path("deaths"), encoding: .utf8) == "x\nx\n")
  }

  @Test("text and JSON count the same stores as done, with those that had the target version")
  func counts() throws {
    try fixture.store("a.sqlite")
    try fixture.store("b.sqlite", version: "Notes 3")
    _ = try manifest(["a.sqlite", "b.sqlite"])
    let run = try shell("$run --json")
    #expect(run.output.contains("\"done\": 2") && run.output.contains("\"current\": 1"), "\(run)")
    let ledger = folder.path("out/ledger")
    let (text, json) = (Captured(["ledger", ledger]).output, Captured(["ledger", ledger, "--json"]).output)
    #expect(text.contains("2 done,") && text.contains("Had the target version already: 1."), "\(text)")
    #expect(json.contains("\"done\": 2") && json.contains("\"current\": 1"), "\(json)")
  }

  @Test("for a ledger without a complete first line the exit code isn't 0")
  func headless() throws {
    try folder.write("{\"run\":{\"dec", to: "1-of-1.jsonl")
    let sum = Captured(["ledger", folder.path("1-of-1.jsonl")])
    #expect(sum.code == 75 && sum.output.contains("Ledgers whose run ended at its start: 1"), "\(sum.output)")
  }

  @Test(
    "a run continues when its output has room again, and no store is refused because of it",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func fullOutput() throws {
    let names = (1...12).map { "s\($0).sqlite" }
    for name in names { try fixture.store(name, notes: 500) }
    _ = try manifest(names)
    let full = try shell(
      "mkdir $d/out; unshare -m bash -c 'mount -t tmpfs -o size=300k none $d/out; $run --ledger $d/ledger.jsonl'"
    )
    #expect(full.code == 75, "\(full)")
    #expect(full.output.contains("Ended early:") && full.output.contains("No space left"), "\(full.output)")
    #expect(!full.output.contains("Refused"), "\(full.output)")
    let rest = try shell("$run --ledger $d/ledger.jsonl")
    #expect(rest.code == 0, "\(rest)")
    #expect(rest.output.contains("Done: 12"), "\(rest.output)")
  }
}
