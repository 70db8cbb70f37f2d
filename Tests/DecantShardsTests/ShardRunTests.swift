import DecantSQLite
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("A run of a shard") struct ShardRunTests {
  let fixture: ShardFixture

  init() throws { fixture = try ShardFixture() }

  private func result(_ path: String) -> String { fixture.result(path) }

  @Test("each store of all shards is migrated once, and only the results are left")
  func shards() throws {
    let paths = try fixture.copies((1...12).map { "store \($0).sqlite" })
    try fixture.manifest(paths + paths)
    var found: [String] = []
    for number in 1...3 {
      let settings = fixture.settings(try Shard("\(number)/3"))
      let counts = try fixture.run(settings)
      #expect(counts.isComplete && counts.done == counts.stores)
      #expect(counts.duplicates == counts.stores)
      found += try fixture.lines(settings).map(\.path)
    }
    #expect(found.sorted() == paths.sorted())
    for path in paths {
      #expect(try SQLiteDatabase(result(path), mode: .immutable).rows("SELECT COUNT(ZTONE) FROM ZNOTE") != [])
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out"))
    #expect(left.allSatisfy { $0.count == 2 || $0 == ".unfinished" }, "\(left)")
    #expect(try fixture.unfinished().isEmpty)
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test("a ledger line has the source's size and SHA-256, the versions, the objects and the losses")
  func line() throws {
    let path = fixture.folder.path("in/one.sqlite")
    try fixture.manifest([path])
    _ = try fixture.run(fixture.settings())
    let line = try #require(try fixture.line(fixture.settings(), of: path))
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(line.size == data.count)
    var status = stat()
    #expect(lstat(result(path), &status) == 0)
    #expect((line.from, line.to, line.family) == ("Notes", "Notes 2", "Notes"))
    #expect(line.rows == 20)
    #expect(line.losses ?? 0 > 0)
    #expect(line.output == "\(PathKey(of: FileName(path)).folder)/one.sqlite")
    #expect(try fixture.receipt(path).contains(line.sha256 ?? "none"))
  }

  @Test("bad entries of a manifest are refused and named, and the other stores are migrated")
  func badEntries() throws {
    let folder = fixture.folder
    try folder.write("garbage", to: "in/bad.sqlite")
    try folder.write("", to: "in/empty.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/link.sqlite"), withDestinationPath: folder.path("in/one.sqlite"))
    #expect(mkfifo(folder.path("in/fifo"), 0o600) == 0)
    let good = try fixture.copies(["new\nline.sqlite", "e\u{301}.sqlite", "\u{e9}x.sqlite", ".hidden"])
    let names = ["bad.sqlite", "empty.sqlite", "link.sqlite", "fifo", "", "none.sqlite"]
    let bad = names.map { folder.path("in/\($0)") }
    try fixture.manifest(good + bad)
    let counts = try fixture.run(fixture.settings())
    #expect(counts.results == [.done: good.count, .refused: bad.count])
    #expect(
      counts.refused == [
        "not-sqlite": 1, "empty": 1, "not-a-file": 3, "no-such-file": 1,
      ])
    for path in bad { #expect(try fixture.line(fixture.settings(), of: path)?.message?.isEmpty == false) }
    for path in good { #expect(FileManager.default.fileExists(atPath: result(path)), "\(path)") }
  }

  @Test("a store is refused if a folder, a FIFO or a link has the name of its log")
  func oddLogs() throws {
    let paths = try fixture.copies((1...3).map { "s\($0).sqlite" })
    try FileManager.default.createDirectory(atPath: paths[0] + "-wal", withIntermediateDirectories: true)
    #expect(mkfifo(paths[1] + "-journal", 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: paths[2] + "-wal", withDestinationPath: "none")
    try fixture.manifest(paths)
    #expect(try fixture.run(fixture.settings()).refused == ["not-a-file": 3])
    let message = try fixture.line(fixture.settings(), of: paths[0])?.message
    #expect(message?.contains("s1.sqlite-wal") == true, "\(message ?? "")")
  }

  @Test("a store's name that isn't UTF-8 is kept for the result and its associations")
  func bytes() throws {
    let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".sqlite".utf8)
    let path = FileName(
      bytes: Array(fixture.folder.path("in/").utf8) + (fixture.folder.path("in/").hasSuffix("/") ? [] : [0x2F])
        + name)
    #expect(ByteFile.rename(Array(fixture.folder.path("in/one.sqlite").utf8), to: path.bytes) == 0)
    try Data(path.bytes + [0]).write(to: URL(fileURLWithPath: fixture.folder.path("manifest")))
    var settings = fixture.settings()
    settings.keepsAssociations = true
    let counts = try fixture.run(settings)
    #expect(counts.done == 1)
    let line = try #require(try fixture.lines(fixture.settings()).first)
    #expect(line.source == path)
    #expect(line.outputBytes != nil)
    let place = Array(fixture.folder.path("out/\(PathKey(of: path).folder)").utf8)
    let associations = name.dropLast(".sqlite".utf8.count) + Array(".associations.sqlite".utf8)
    #expect(
      ByteFile.entries(of: place)?.map(\.name) == [Array(associations), name, Array("report.json".utf8)])
  }

  @Test("a second run skips settled stores; a changed source or a changed catalogue is migrated again")
  func again() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.folder.write("garbage", to: "in/bad.sqlite")
    try fixture.manifest(paths + [fixture.folder.path("in/bad.sqlite")])
    let settings = fixture.settings()
    _ = try fixture.run(settings)
    var status = stat()
    lstat(result(paths[0]), &status)
    let counts = try fixture.run(settings)
    #expect(counts.skipped == 3)
    #expect(counts.results == [.done: 2, .refused: 1])
    #expect(counts.refused == ["not-sqlite": 1])
    var after = stat()
    lstat(result(paths[0]), &after)
    #expect(status.st_ino == after.st_ino)
    try FileManager.default.removeItem(atPath: paths[1])
    try fixture.store("b.sqlite", rows: 33)
    let changed = try fixture.run(settings)
    #expect(changed.skipped == 2)
    #expect(
      try SQLiteDatabase(result(paths[1]), mode: .immutable).rows("SELECT COUNT(*) FROM ZNOTE") == [
        [.integer(33)]
      ])
    #expect(try fixture.line(settings, of: paths[1])?.rows == 33)
    try fixture.folder.write("{ dataLoss: \"refuse\" }", to: "Models/Notes/family.json5")
    let strict = try fixture.run(settings)
    #expect(strict.skipped == 0)
    #expect(strict.results == [.refused: 3])
  }

  @Test("a result without a ledger line is found in the output and not made again")
  func receipt() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.manifest(paths)
    let settings = fixture.settings()
    _ = try fixture.run(settings)
    var before = stat()
    lstat(result(paths[0]), &before)
    // As after a loss of power between the result's rename and its line.
    try FileManager.default.removeItem(atPath: settings.ledger)
    let counts = try fixture.run(settings)
    #expect(counts.done == 2)
    var after = stat()
    lstat(result(paths[0]), &after)
    #expect(before.st_ino == after.st_ino)
    #expect(try fixture.lines(settings).count == 2)
  }

  @Test("a stop ends the run, and the next run continues with the other stores")
  func stop() throws {
    let paths = try fixture.copies((1...30).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    let settings = fixture.settings()
    let counts = try fixture.run(settings) { $0.settled >= 3 }
    #expect(counts.isStopped)
    #expect(counts.settled < 30)
    let rest = try fixture.run(settings)
    #expect(rest.isComplete && rest.done == 30)
    #expect(rest.skipped == counts.settled)
    #expect(try fixture.lines(settings).count == 30)
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test("a stop commits the running chunk, and the next run resumes after it")
  func resume() throws {
    let path = try fixture.store("big.sqlite", rows: 20_000)
    try fixture.manifest([path])
    var settings = fixture.settings(jobs: 1)
    settings.chunkSize = 10
    let partial = "\(fixture.folder.path("scratch"))"
    let counts = try fixture.run(settings) { _ in
      let shards = (try? FileManager.default.contentsOfDirectory(atPath: partial)) ?? []
      return shards.contains { shard in
        let job = [shard, PathKey(of: FileName(path)).hex, "work", "step-1.sqlite.partial"]
        let file = ([partial] + job).joined(separator: "/")
        var status = stat()
        return lstat(file, &status) == 0 && status.st_size > 200_000
      }
    }
    #expect(counts.isStopped && counts.settled == 0)
    #expect(try fixture.leftovers().count == 1)
    #expect(try fixture.run(settings).done == 1)
    let chunks = try fixture.receipt(path).matches(of: /"resumedChunks":([0-9]+)/).compactMap { Int($0.1) }
    #expect(chunks.reduce(0, +) > 0, "\(chunks)")
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test("a store that kills its worker twice is refused and named, and all others are migrated")
  func killer() throws {
    let paths = try fixture.copies(["a.sqlite", "killer.sqlite", "b.sqlite", "c.sqlite"])
    try fixture.manifest(paths)
    var settings = fixture.settings()
    settings.program = try FrailWorker.write(in: fixture.folder, decant: Repository.program("decant"))
    let counts = try fixture.run(settings)
    #expect(counts.results == [.done: 3, .refused: 1])
    let line = try #require(try fixture.line(settings, of: paths[1]))
    #expect(line.reason == "worker-died")
    #expect(line.message?.contains("in/killer.sqlite, attempt 2 of 2") == true, "\(line.message ?? "")")
    #expect(try String(contentsOfFile: fixture.folder.path("deaths"), encoding: .utf8) == "x\nx\n")
  }

  @Test("a worker that doesn't start ends the run with its reason")
  func noWorker() throws {
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    var settings = fixture.settings()
    settings.program = "/bin/false"
    #expect {
      try fixture.run(settings)
    } throws: {
      guard case .noWorker(let words, isOwn: true) = $0 as? ShardError else { return false }
      return words.contains("exit code 1")
    }
    #expect(try fixture.lines(settings).isEmpty)
  }

  @Test("two runs of one shard at the same time do no harm")
  func twoRuns() async throws {
    let paths = try fixture.copies((1...20).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    let fixture = fixture
    let settings = fixture.settings()
    let manifest = fixture.folder.path("manifest")
    @Sendable func one() throws -> ShardCounts {
      let run = try ShardRun(settings, try Manifest(file: manifest), shouldStop: { false }) { _ in }
      return try run.run()
    }
    async let first = one()
    async let second = one()
    for counts in try await [first, second] {
      #expect(counts.isComplete && counts.results == [.done: 20], "\(counts)")
    }
    let third = try one()
    #expect(third.results == [.done: 20] && third.skipped == 20, "\(third)")
    var sum = LedgerSum()
    try sum.add(settings.ledger)
    sum.finish()
    #expect((sum.done, sum.missing) == (20, 0))
    for path in paths { #expect(FileManager.default.fileExists(atPath: result(path))) }
    #expect(try fixture.leftovers().isEmpty)
    #expect(try fixture.unfinished().isEmpty)
  }

  @Test("an unknown family ends the run before any store is refused")
  func unknownFamily() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.manifest(paths)
    var settings = fixture.settings()
    settings.family = "Nots"
    #expect {
      try fixture.run(settings)
    } throws: {
      if case .wrongOption = $0 as? ShardError { true } else { false }
    }
    #expect(try fixture.lines(settings).isEmpty)
  }
}
