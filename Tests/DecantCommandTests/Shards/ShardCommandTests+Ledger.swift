import CommandSupport
import DecantShards
import DecantTestSupport
import FileNames
import Foundation
import Testing

/// `decant ledger` with the ledgers of several shards and manifests.
extension ShardCommandTests {
  @Test("with a manifest, unfinished shards are named, and stores of other manifests don't count")
  func unfinished() throws {
    // Each shard has two good stores, and shard 1 also has a broken one.
    func names(_ shard: Int, _ start: String) throws -> [String] {
      let shard = try Shard("\(shard)/3")
      return (1...1000).map { "\(start)\($0).sqlite" }.filter {
        shard.contains(PathKey(of: FileName(folder.path($0))))
      }
    }
    let good = try (1...3).flatMap { try names($0, "s").prefix(2) }
    for name in good { try fixture.store(name) }
    let bad = try names(1, "bad")[0]
    try folder.write("garbage", to: bad)
    let list = try manifest(good + [bad])
    #expect(try shell("$run --shard 1/3").code == 65)
    // A run of shard 3 that was killed at its start.
    #expect(try shell("$run --shard 3/3").code == 0)
    let third = folder.path("out/ledger/3-of-3.jsonl")
    let lines = try String(contentsOfFile: third, encoding: .utf8).split(separator: "\n")
    try (lines[0] + "\n" + lines[1] + "\n").write(toFile: third, atomically: false, encoding: .utf8)
    // A ledger of another manifest in the same folder.
    try fixture.store("other.sqlite")
    try folder.write(folder.path("other.sqlite") + "\n", to: "more.txt")
    #expect(
      try shell("${run/stores.txt/more.txt} --ledger $d/out/ledger/more.jsonl").code == 0)
    let words = ["ledger", folder.path("out/ledger"), "--manifest", list]
    let text = Captured(words)
    #expect(text.code == 75, "\(text.output)")
    for line in [
      "3 ledgers: 3 done, 1 refused, 0 to try again, 3 missing, 0 twice.",
      "Not finished: 2 shards of 3: 2, 3.", "“--list” names each store without a result",
      "Not counted: 1 store that the ledgers have, but not the manifest.",
    ] { #expect(text.output.contains(line), "\(line): \(text.output)") }
    let json = Captured(words + ["--json"]).output
    for line in ["\"foreign\": 1", "\"2/3\",\n    \"3/3\"", "\"missing\": 3"] {
      #expect(json.contains(line), "\(line): \(json)")
    }
    // Without a manifest, all stores count.
    #expect(Captured(["ledger", folder.path("out/ledger")]).output.contains("4 done, 1 refused"))
    let foreign = Captured(["ledger", folder.path("out/ledger/more.jsonl"), "--manifest", list])
    #expect(
      foreign.code == 75 && foreign.output.contains("No ledger is of this manifest."), "\(foreign.output)")
  }

  @Test("--list names each store without a result once, with its reason, whatever bytes its path has")
  func list() throws {
    try fixture.store("good.sqlite")
    try folder.write("garbage", to: "new\nline.sqlite")
    let odd = folder.url.path.utf8 + [0x2F, 0x63, 0xE9]
    let paths =
      ["good.sqlite", "new\nline.sqlite", "gone.sqlite"].map { Array(folder.path($0).utf8) } + [Array(odd)]
    try Data(paths.joined(separator: [0]) + [0]).write(to: folder.url.appendingPathComponent("stores.txt"))
    // Two runs, so that the ledger has two lines for a store that is to be tried again.
    for _ in 1...2 { #expect(try shell("$run").code == 65) }
    // This manifest also names a store that no run has seen, twice.
    let never = folder.path("never.sqlite")
    try Data((paths + [Array(never.utf8), Array(never.utf8)]).joined(separator: [0]) + [0])
      .write(to: folder.url.appendingPathComponent("more.nul"))
    let words = ["ledger", folder.path("out/ledger"), "--manifest", folder.path("more.nul")]
    let text = Captured(words + ["--list"])
    let found = text.output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(text.code == 75 && found.allSatisfy { $0.count == 4 }, "\(text.output)")
    let printed = folder.url.path
    #expect(
      Set(found.map { $0.prefix(3).joined(separator: " ") }) == [
        "refused not-sqlite \(printed)/new\\x0aline.sqlite", "refused no-such-file \(printed)/gone.sqlite",
        "refused no-such-file \(printed)/c\\xe9", "missing  \(never)",
      ])
    #expect(found.count == 4 && found.dropLast().allSatisfy { !$0[3].isEmpty }, "\(text.output)")

    let json = Captured(words + ["--list", "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let stores = try #require(object["stores"] as? [[String: Any]])
    #expect(stores.contains { ($0["path"] as? String)?.hasSuffix("/new\nline.sqlite") == true })
    #expect(
      stores.compactMap { $0["pathBytes"] as? String }.map { Data(base64Encoded: $0) } == [Data(odd)])
    #expect(
      stores.compactMap { $0["result"] as? String }.sorted() == ["missing", "refused", "refused", "refused"])
    #expect(object["missing"] as? Int == 1)

    let both = Captured(words + ["--list", "--retry", folder.path("again")])
    #expect(both.output == text.output && both.messages.contains("4 stores to try again"), "\(both.messages)")
    let again = try Data(contentsOf: URL(fileURLWithPath: folder.path("again"))).split(separator: 0)
    #expect(Set(again.map(Array.init)) == Set(paths.dropFirst() + [Array(never.utf8)]))
    #expect(again.count == 4)
  }

  @Test(
    "a ledger that is named twice counts once, and a ledger that is damaged at its beginning doesn't count")
  func damagedLedger() throws {
    try fixture.store("a.sqlite")
    _ = try manifest(["a.sqlite"])
    #expect(try shell("$run").code == 0)
    let ledgers = folder.path("out/ledger")
    let same = Captured(["ledger", ledgers, ledgers + "/1-of-1.jsonl", ledgers])
    #expect(same.code == 0 && same.output.contains("1 ledger: 1 done,"), "\(same.output)")
    #expect(same.output.contains("0 twice"), "\(same.output)")
    let copy = folder.path("out/ledger/copy.jsonl")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path("out/ledger/1-of-1.jsonl")))
    try (Data(repeating: 0x78, count: 2_000_000) + Data("\n".utf8) + whole).write(
      to: URL(fileURLWithPath: copy))
    let sum = Captured(["ledger", folder.path("out/ledger")])
    #expect(sum.code == 64 && sum.output.contains("1 ledger: 1 done,"), "\(sum.output)")
    #expect(sum.output.contains("0 twice"), "\(sum.output)")
  }

  @Test("the report of each run has the shard's numbers, and its messages have paths in the same order")
  func report() throws {
    let bad = (10...22).map { "bad\($0).sqlite" }
    for name in bad { try folder.write("garbage \(name)", to: name) }
    try fixture.store("a.sqlite", notes: 7)
    _ = try manifest(bad.reversed() + ["a.sqlite"])
    let first = try shell("$run --jobs 4").output
    let second = try shell("$run --jobs 4").output
    func messages(_ output: String) -> [String] {
      output.split(separator: "\n").filter { $0.contains("/bad") }.map(String.init)
    }
    for output in [first, second] {
      #expect(output.contains("Shard 1/1: 14 of 14 stores, "), "\(output)")
      let lines = messages(output)
      #expect(lines.count == 10, "\(output)")
      for (line, name) in zip(lines, bad) { #expect(line.contains(folder.path(name)), "\(line)") }
      #expect(output.contains("… and 3 more; “decant ledger LEDGER --list” names them."), "\(output)")
    }
    #expect(first.contains("This run: 14 stores in "), "\(first)")
    #expect(
      second.contains("This run: 0 stores in ") && second.contains("; 14 settled by an earlier run."),
      "\(second)")
    #expect(messages(second)[0].hasSuffix("bad10.sqlite: not-sqlite"), "\(second)")
    func losses(_ output: String) -> String? {
      output.split(separator: "\n").first { $0.hasPrefix("Lost values") }.map(String.init)
    }
    #expect(losses(first) == losses(second), "\(first) \(second)")
    let json = try [shell("$run --json"), shell("$run --json")].map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.output.utf8)) as? [String: Any])
    }
    #expect(json.allSatisfy { $0["rows"] as? Int ?? 0 >= 7 && $0["skipped"] as? Int == 14 }, "\(json)")
  }
}
