import DecantTestSupport
import FileNames
import Foundation
import Synchronization
import Testing

@testable import DecantShards
@testable import DecantWorker

@Suite("Ledgers") struct LedgerTests {
  let folder: TemporaryFolder
  var path: String { folder.path("ledger.jsonl") }

  init() throws { folder = try TemporaryFolder("decant-ledger") }

  func head(
    manifest: String = "m", shard: String = "1/2", stores: Int = 3, output: String = "/out",
    started: String = "2026-01-01T00:00:00.000Z"
  ) throws -> LedgerHead {
    LedgerHead(
      manifest: manifest, manifestPath: "stores.txt", shard: try Shard(shard), stores: stores, settings: "s",
      output: output, decant: "1", started: started)
  }

  func line(
    _ path: FileName, _ result: LedgerLine.Result = .done, size: Int? = 5, reason: String? = nil,
    ended: String = "2026-01-01T00:00:10.000Z"
  ) -> LedgerLine {
    var line = LedgerLine(path: path, settings: "s", result: result, seconds: 1, ended: ended)
    line.size = size
    line.sha256 = size.map { "\($0)" }
    line.reason = reason
    line.losses = 2
    line.rows = 7
    return line
  }

  func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  @Test("a store is one line of JSON with all keys, whatever bytes its path has")
  func lines() throws {
    let odd = FileName(bytes: [0x63, 0xE9, 0x0A])
    try LedgerFile(path, head: try head()).append([line("a\nb"), line(odd)])
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines[1]
        == #"{"ended":"2026-01-01T00:00:10.000Z","losses":2,"path":"a\nb","result":"done","rows":7,"seconds":1,"settings":"s","sha256":"5","size":5}"#
    )
    #expect(lines[2].contains(#""path":"c\\xe9\\x0a","pathBytes":"Y+kK""#))
    let reader = try LedgerLines(path)
    #expect(try reader.next()?.source == "a\nb")
    #expect(try reader.next()?.source == odd)
    #expect(try reader.next() == nil)
  }

  @Test("a last line that is cut off anywhere is removed, and the lines before it stay")
  func torn() throws {
    try LedgerFile(path, head: try head()).append([line("a"), line("b", .refused)])
    let whole = try content()
    let lastStart = try #require(whole.dropLast().lastIndex(of: 0x0A)) + 1
    for length in stride(from: lastStart + 1, to: whole.count, by: 7) {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let ledger = try LedgerFile(path, head: try head())
      #expect(ledger.tornBytes == length - lastStart)
      #expect(ledger.settled(PathKey(of: "a"))?.result == .done)
      #expect(ledger.settled(PathKey(of: "b")) == nil)
      #expect(ledger.unreadable == 0)
      try ledger.append([line("b", .refused)])
      let again = try LedgerFile(path, head: try head())
      #expect(again.settled(PathKey(of: "b"))?.result == .refused)
      #expect(again.unreadable == 0)
    }
    // A first line that is cut off is removed as a whole.
    try whole.prefix(20).write(to: URL(fileURLWithPath: path))
    #expect(try LedgerFile(path, head: try head()).tornBytes == 20)
  }

  @Test("a ledger of another manifest, shard or output, or of a newer format is refused and stays as it is")
  func foreign() throws {
    try LedgerFile(path, head: try head()).append([line("a")])
    let before = try content()
    let (path, other, third) = (path, try head(manifest: "n"), try head(shard: "2/2"))
    let fourth = try head(output: "/elsewhere")
    #expect(throws: ShardError.otherOutput(ledger: path, held: "/out")) { try LedgerFile(path, head: fourth) }
    #expect(throws: ShardError.otherManifest(ledger: path, manifest: "stores.txt")) {
      try LedgerFile(path, head: other)
    }
    #expect(throws: ShardError.otherShard(ledger: path, held: "1/2", wanted: "2/2")) {
      try LedgerFile(path, head: third)
    }
    #expect(try content() == before)
    var newer = try head()
    newer.ledger = 2
    try LedgerRecord.run(newer).encoded().write(to: URL(fileURLWithPath: path))
    let own = try head()
    #expect(throws: ShardError.newerLedger(path: path, format: 2)) { try LedgerFile(path, head: own) }
  }

  @Test(
    "another file is refused and stays as it is", arguments: ["text", "text\n", "{}\n", "SQLite format 3\0"])
  func strangers(text: String) throws {
    try folder.write(text, to: "ledger.jsonl")
    let (path, own) = (path, try head())
    #expect(throws: ShardError.notALedger(path: path)) { try LedgerFile(path, head: own) }
    #expect(try content() == Data(text.utf8))
  }

  @Test("lines that another run appends count like those of an earlier run, and no result is written twice")
  func twoRuns() throws {
    let (one, other) = (try LedgerFile(path, head: try head()), try LedgerFile(path, head: try head()))
    try one.append([line("a")])
    try other.append([line("a"), line("b")])
    try one.append([line("b"), line("c")])
    let reader = try LedgerLines(path)
    var found: [FileName] = []
    while let line = try reader.next() { found.append(line.source) }
    #expect(found == ["a", "b", "c"])
  }

  /// A ledger whose appends fail after half of their bytes, or without any.
  ///
  /// `before` and `after` are what another run does immediately before and after such an append.
  private func failing(
    writesHalf: Bool = true, before: @escaping @Sendable () -> Void = {},
    after: @escaping @Sendable () -> Void = {}
  ) throws -> LedgerFile {
    let hasHead = Atomic<Bool>(false)
    return try LedgerFile(path, head: try head()) { data, descriptor, count in
      // The first call writes the ledger's first line, and doesn't fail.
      guard hasHead.exchange(true, ordering: .relaxed) else {
        return DescriptorIO.write(data, to: descriptor, count: &count)
      }
      before()
      defer { after() }
      guard writesHalf else { return ENOSPC }
      return DescriptorIO.write(data.prefix(data.count / 2), to: descriptor, count: &count) == 0 ? ENOSPC : EIO
    }
  }

  @Test("a failed append leaves no part of a line, and removes no line of another run")
  func failedAppend() throws {
    let other = try LedgerFile(path, head: try head())
    let foreign = line("foreign")
    let one = try failing(before: { try? other.append([foreign]) })
    let before = try content().count
    #expect(throws: ShardError.file(path: path, action: "written", code: ENOSPC)) {
      try one.append([line("a"), line("b")])
    }
    #expect(try content().last == 0x0A)
    #expect(try content().count > before)
    // The other run continues to append.
    try other.append([line("c")])
    let reader = try LedgerLines(path)
    var found: [FileName] = []
    while let line = try reader.next() { found.append(line.source) }
    #expect(found == ["foreign", "c"])
    #expect(try sum([path]).unreadable == 0)
  }

  @Test("a failed append keeps the lines that another run has written after the failed part")
  func failedBefore() throws {
    let other = try LedgerFile(path, head: try head())
    let (glued, whole) = (line("glued", .refused), line("whole", .refused))
    let one = try failing(after: {
      for line in [glued, whole] { try? other.append([line]) }
    })
    #expect(throws: ShardError.file(path: path, action: "written", code: ENOSPC)) {
      try one.append([line("a")])
    }
    let again = try LedgerFile(path, head: try head())
    #expect(again.settled(PathKey(of: "whole"))?.result == .refused)
    #expect(again.settled(PathKey(of: "glued"))?.result == .refused)
    #expect((again.unreadable, again.tornBytes) == (0, 0))
    #expect(again.settled(PathKey(of: "a")) == nil)
  }

  @Test("a failed append leaves the line that another run is writing")
  func failedMeanwhile() throws {
    let one = try failing(writesHalf: false)
    let mine = line("a")
    let hasHead = Atomic<Bool>(false)
    let other = try LedgerFile(path, head: try head()) { data, descriptor, count in
      guard hasHead.exchange(true, ordering: .relaxed) else {
        return DescriptorIO.write(data, to: descriptor, count: &count)
      }
      // Both lines begin alike.
      var rest = 0
      let code = DescriptorIO.write(data.prefix(10), to: descriptor, count: &count)
      #expect(throws: ShardError.self) { try one.append([mine]) }
      guard code == 0 else { return code }
      defer { count += rest }
      return DescriptorIO.write(data.dropFirst(10), to: descriptor, count: &rest)
    }
    try other.append([line("b")])
    let again = try LedgerFile(path, head: try head())
    #expect(again.settled(PathKey(of: "b"))?.result == .done && again.settled(PathKey(of: "a")) == nil)
    #expect((again.unreadable, again.tornBytes) == (0, 0))
  }

  @Test("a new ledger whose first line has failed is used by the next run")
  func failedHead() throws {
    let (path, own) = (path, try head())
    #expect(throws: ShardError.file(path: path, action: "written", code: ENOSPC)) {
      try LedgerFile(path, head: own) { data, descriptor, count in
        _ = DescriptorIO.write(data.prefix(30), to: descriptor, count: &count)
        return ENOSPC
      }
    }
    #expect(try sum([path]).headless == 1)
    try LedgerFile(path, head: own).append([line("a")])
    let sum = try sum([path])
    #expect((sum.done, sum.unreadable, sum.headless) == (1, 0, 0))
  }

  @Test(
    "a refusal doesn't replace a result of the same source and settings, but a refusal of a changed source does"
  )
  func refusal() throws {
    let ledger = try LedgerFile(path, head: try head())
    try ledger.append([line("a"), line("b")])
    try ledger.append([line("a", .refused), line("b", .refused, size: 6)])
    for ledger in [ledger, try LedgerFile(path, head: try head())] {
      #expect(ledger.settled(PathKey(of: "a"))?.result == .done)
      #expect(ledger.settled(PathKey(of: "b"))?.result == .refused)
    }
  }

  @Test("a first line of zeros, as after a loss of power, is removed")
  func zeros() throws {
    try Data(count: 300).write(to: URL(fileURLWithPath: path))
    #expect(try sum([path]).headless == 1)
    #expect(try LedgerFile(path, head: try head()).tornBytes == 300)
    #expect(try sum([path]).headless == 0)
  }

  @Test(
    "a long row of zeros at the end is removed, and the lines before it stay", arguments: ["", "{\"ended\""])
  func longZeros(part: String) throws {
    try LedgerFile(path, head: try head()).append([line("a")])
    let zeros = String(repeating: "\0", count: 2_000_000)
    try Self.append(part + zeros, to: path)
    let sum = try sum([path])
    #expect((sum.done, sum.unreadable) == (1, 1))
    let lines = try LedgerLines(path)
    #expect(try lines.next() != nil)
    #expect(try lines.next() == nil)
    let ledger = try LedgerFile(path, head: try head())
    #expect(ledger.tornBytes == part.utf8.count + 2_000_000)
    #expect(ledger.settled(PathKey(of: "a"))?.result == .done)
    // A file with another long line may belong to another program.
    let (text, own) = (try folder.write("text" + zeros, to: "text").path, try head())
    #expect(throws: ShardError.notALedger(path: text)) { try LedgerFile(text, head: own) }
    try Data(count: 2_000_000).write(to: URL(fileURLWithPath: path))
    #expect(try LedgerFile(path, head: own).tornBytes == 2_000_000)
  }

  @Test("a line that is too long for a ledger counts as unreadable, and the lines around it stay")
  func longLine() throws {
    let ledger = try LedgerFile(path, head: head())
    try ledger.append([line("/a")])
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 0x78, count: 3 << 20) + Data("\n".utf8))
    try ledger.append([line("/b")])
    #expect(ledger.unreadable == 1)
    let again = try LedgerFile(path, head: head())
    #expect(again.unreadable == 1 && again.tornBytes == 0)
    #expect(["/a", "/b"].allSatisfy { again.settled(PathKey(of: FileName($0)))?.isDone == true })
    var sum = LedgerSum()
    try sum.add(path)
    sum.finish()
    #expect(sum.stores[.done] == 2 && sum.unreadable == 1)
    let lines = try LedgerLines(path)
    #expect(try lines.next()?.source == "/a" && lines.next()?.source == "/b")
    // A long line without its newline is cut off.
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 0x78, count: 3 << 20))
    let torn = try LedgerFile(path, head: head())
    #expect(torn.tornBytes == 3 << 20 && torn.settled(PathKey(of: "/b"))?.isDone == true)
  }

  @Test("complete lines that another run writes while a ledger is opened stay")
  func growing() async throws {
    let writer = try LedgerFile(path, head: try head())
    let (path, head) = (path, try head())
    let lines = (0..<400).map { line(FileName("store-\($0)")) }
    async let opened: Int = {
      var torn = 0
      for _ in 0..<100 { torn += try LedgerFile(path, head: head).tornBytes }
      return torn
    }()
    for line in lines { try writer.append([line]) }
    #expect(try await opened == 0)
    let last = try LedgerFile(path, head: head)
    for line in lines { #expect(last.settled(PathKey(of: line.source))?.result == .done) }
    #expect(last.unreadable == 0)
  }
}

extension LedgerRecord {
  /// The record's line as text.
  func text() throws -> String { String(decoding: try encoded(), as: UTF8.self) }
}
