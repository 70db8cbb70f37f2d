import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

/// The sum over the ledgers of many shards.
extension LedgerTests {
  @Test("each store counts once, with the lines of its newest source")
  func newest() throws {
    try LedgerFile(path, head: try head(shard: "1/1")).append([
      line("changed"), line("again"), line("gone"), line("same"),
    ])
    let next = try LedgerFile(path, head: try head(shard: "1/1"))
    try next.append([
      line("changed", .refused, size: 6, reason: "not-sqlite"), line("again", size: 9),
      line("gone", .refused, size: nil, reason: "no-such-file"), line("same", .refused, reason: "damaged"),
    ])
    // A second run writes the same line again.
    try Self.append(try LedgerRecord.store(line("again", size: 9)).text(), to: path)
    let sum = try sum([path])
    #expect((sum.done, sum.stores[.refused]) == (2, 2))
    #expect(sum.refused == ["not-sqlite": 1, "no-such-file": 1])
    #expect((sum.rows, sum.bytes, sum.losses, sum.lossyStores) == (14, 14, 4, 2))
    #expect(sum.twice == 1)
    #expect(try open(sum) == ["changed", "gone"])
  }

  /// The stores without a result in the ledger at `path`, in the order of the lines that decide this.
  private func open(_ sum: LedgerSum) throws -> [FileName] {
    let lines = try LedgerLines(path)
    var found: [FileName] = []
    while let line = try lines.next() {
      if sum.decides(line, ledger: 0, offset: lines.place) { found.append(line.source) }
    }
    return found
  }

  func sum(_ paths: [String], of manifest: ManifestIndex? = nil) throws -> LedgerSum {
    var sum = LedgerSum(of: manifest)
    for path in paths { try sum.add(path) }
    sum.finish()
    return sum
  }

  @Test("a sum counts each store once: its result if there is one, otherwise its newest line")
  func counts() throws {
    try LedgerFile(path, head: try head()).append([
      line("a", .later, reason: "no-room"), line("b", .refused, reason: "damaged"), line("d"),
    ])
    try LedgerFile(path, head: try head(started: "2026-01-01T00:01:00.000Z")).append([
      line("a", .current, ended: "2026-01-01T00:01:05.000Z")
    ])
    let sum = try sum([path])
    #expect(sum.done == 2)
    #expect(sum.stores == [.current: 1, .refused: 1, .done: 1])
    #expect(sum.refused == ["damaged": 1])
    #expect(sum.later.isEmpty)
    #expect((sum.missing, sum.twice) == (0, 0))
    #expect((sum.losses, sum.lossyStores, sum.rows) == (4, 2, 14))
    // The time between the two runs doesn't count.
    #expect(sum.wallSeconds == 15)
    #expect(sum.shardSeconds == 15)
    #expect(sum.divisions.first?.missingShards == [2])
    #expect(try open(sum) == ["b"])
    #expect(sum.isMissing("unknown") && !sum.isMissing("b"))
  }

  @Test("a clock that was set back or ran ahead gives no negative time")
  func clockSetBack() throws {
    try LedgerFile(path, head: try head(started: "2026-01-01T00:00:00.000Z")).append([
      line("a", ended: "2099-01-01T00:00:00.000Z"), line("b", ended: "2025-12-31T23:00:00.000Z"),
    ])
    let sum = try sum([path])
    #expect((sum.wallSeconds, sum.shardSeconds) == (0, 0) && sum.done == 2)
  }

  @Test("missing stores, stores with two results, and lines that can't be read are counted")
  func troubles() throws {
    let ledger = try LedgerFile(path, head: try head(stores: 10))
    // A changed source has two results, but they aren't the same result made twice.
    try ledger.append([line("a"), line("a", size: 6), line("b"), line("b", size: 6)])
    let other = folder.path("other.jsonl")
    try LedgerFile(other, head: try head(shard: "2/2", stores: 1)).append([line("a")])
    try LedgerTests.append("garbage\n{\"half\":", to: other)
    let sum = try sum([path, other])
    #expect(sum.missing == 9)
    #expect(sum.twice == 1)
    #expect(sum.unreadable == 2)
    #expect(sum.divisions.first?.missingShards == [])
  }

  @Test("a manifest's sum has only its stores and its time, and lists the shards with open stores")
  func ofManifest() throws {
    let names: [FileName] = (0..<40).map { FileName("store-\($0)") }
    func shard(_ name: FileName) -> Int { Shard.number(of: PathKey(of: name), 2) }
    let (one, two) = (names.filter { shard($0) == 1 }, names.filter { shard($0) == 2 })
    try LedgerFile(path, head: try head(stores: one.count)).append(one.map { line($0) })
    let other = folder.path("other.jsonl")
    try LedgerFile(other, head: try head(shard: "2/2", stores: two.count))
      .append(two.dropLast().map { line($0) } + [line(two[two.count - 1], .later, reason: "permission")])
    let foreign = folder.path("foreign.jsonl")
    try LedgerFile(foreign, head: try head(manifest: "n", started: "2025-01-01T00:00:00.000Z"))
      .append([line("foreign", .refused, reason: "damaged")])
    let index = ManifestIndex(digest: "m", keys: (names + names).map { PathKey(of: $0) })
    let sum = try sum([path, other, foreign], of: index)
    #expect((sum.done, sum.missing, sum.foreign) == (39, 0, 1))
    #expect(sum.refused.isEmpty && sum.later == ["permission": 1])
    #expect(sum.wallSeconds == 10)
    #expect(sum.divisions.map(\.unfinishedShards) == [[2]])
    let more = ManifestIndex(digest: "m", keys: (names + ["new"]).map { PathKey(of: $0) })
    #expect(try self.sum([path, other], of: more).missing == 1)
    let unfinished = try self.sum([path], of: index)
    #expect(unfinished.divisions.map(\.unfinishedShards) == [[2]])
    #expect(unfinished.missing == two.count)
  }

  @Test("a killed later run with other settings leaves the shard unfinished, even if all its stores have lines")
  func killedAgain() throws {
    func run(_ number: Int, settings: String = "s", ends: Bool) throws {
      var head = try head(shard: "1/1", stores: 1, started: "2026-01-01T00:0\(number):00.000Z")
      head.settings = settings
      let ledger = try LedgerFile(path, head: head)
      if number == 0 { try ledger.append([line("a")]) }
      if ends { try ledger.end() }
    }
    func unfinished() throws -> [Set<Int>] { try sum([path]).divisions.map(\.unfinishedShards) }
    // Before a first run there are no lines that can be out of date.
    try run(0, ends: false)
    #expect(try unfinished() == [[]])
    try run(1, ends: false)
    #expect(try unfinished() == [[]])
    try run(2, settings: "t", ends: false)
    #expect(try unfinished() == [[1]])
    try run(3, settings: "t", ends: true)
    #expect(try unfinished() == [[]])
    try run(4, settings: "t", ends: false)
    #expect(try unfinished() == [[1]])
    #expect(try sum([path]).missing == 0 && sum([path]).unreadable == 0)
    try run(5, settings: "t", ends: true)
    #expect(try unfinished() == [[]])
  }

  @Test("a store that was made with other settings in between doesn't count as made twice")
  func otherSettings() throws {
    var other = line("a")
    other.settings = "t"
    let lines = [line("a"), other, line("a")]
    try LedgerFile(path, head: try head()).append(lines)
    #expect(try sum([path]).twice == 0)
    try Self.append(try LedgerRecord.store(line("a")).text(), to: path)
    #expect(try sum([path]).twice == 1)
  }

  @Test("the time in which two shards run side by side counts once")
  func together() throws {
    try LedgerFile(path, head: try head()).append([line("a")])
    let other = folder.path("other.jsonl")
    try LedgerFile(other, head: try head(shard: "2/2", started: "2026-01-01T00:00:04.000Z")).append([
      line("b", ended: "2026-01-01T00:00:12.000Z")
    ])
    for paths in [[path, other], [other, path]] {
      let sum = try sum(paths)
      #expect((sum.wallSeconds, sum.shardSeconds) == (12, 18))
    }
  }

  static func append(_ text: String, to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  @Test("a store counts as done if a retry with a manifest of its own has done it")
  func retry() throws {
    try LedgerFile(path, head: try head(shard: "1/1", stores: 2)).append([line("a"), line("b", .refused)])
    let again = folder.path("again.jsonl")
    try LedgerFile(again, head: try head(manifest: "again", shard: "1/1", stores: 1)).append([line("b")])
    for paths in [[path, again], [again, path]] {
      let sum = try sum(paths)
      #expect(sum.done == 2)
      #expect(sum.stores[.refused] == nil)
      #expect((sum.missing, sum.twice) == (0, 0))
    }
  }

  @Test("the error names a file that isn't a ledger", arguments: ["text\n", "{\"run\":{}}\n"])
  func notALedger(text: String) throws {
    let file = try folder.write(text, to: "other.jsonl").path
    #expect(throws: ShardError.notALedger(path: file)) { try sum([file]) }
  }

  @Test("impossible numbers in a ledger are capped or ignored")
  func hostile() throws {
    var wide = try head(stores: Int.max)
    wide.shards = Int.max
    var odd = try head(shard: "1/3", stores: Int.max)
    let heads = try (1...3).map { number in
      odd.shard = number
      return try LedgerRecord.run(odd).text()
    }
    try (heads.joined() + LedgerRecord.run(wide).text()).write(toFile: path, atomically: false, encoding: .utf8)
    let sum = try sum([path])
    #expect(sum.divisions.map(\.shards) == [3] && sum.divisions[0].missingShards.isEmpty)
    #expect(sum.missing == 3 << 40)
  }
}
