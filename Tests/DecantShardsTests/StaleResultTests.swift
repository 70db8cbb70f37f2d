import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("Earlier results of stores that a later run refuses") struct StaleResultTests {
  let fixture: ShardFixture
  let path: String

  init() throws {
    fixture = try ShardFixture()
    path = fixture.folder.path("in/one.sqlite")
    _ = try fixture.copies(["other.sqlite"])
    try fixture.manifest([path, fixture.folder.path("in/other.sqlite")])
  }

  private var key: PathKey { PathKey(of: FileName(path)) }

  private func stale(_ settings: ShardSettings) throws -> Int {
    var sum = LedgerSum()
    try sum.add(settings.ledger)
    sum.finish()
    return sum.stale
  }

  @Test("the line, the counts and the sum of each run say that an old result is there, until it is removed")
  func settings() throws {
    var settings = fixture.settings()
    #expect(try fixture.run(settings).stale == 0)
    settings.refusesLosses = true
    for skipped in [0, 2] {
      let counts = try fixture.run(settings)
      #expect(counts.results == [.refused: 2] && counts.stale == 2 && counts.skipped == skipped, "\(counts)")
      #expect(try fixture.line(settings, of: path)?.staleResult == key.folder)
      #expect(try stale(settings) == 2)
    }
    #expect(FileManager.default.fileExists(atPath: fixture.result(path)))
    try FileManager.default.removeItem(atPath: fixture.folder.path("out/\(key.folder)"))
    let counts = try fixture.run(settings)
    #expect(counts.results == [.refused: 2] && counts.stale == 1, "\(counts)")
    #expect(try fixture.line(settings, of: path)?.staleResult == nil)
    #expect(try stale(settings) == 1)
  }

  @Test(
    "the refusal of a truncated or removed source also names the old result", arguments: [true, false])
  func source(isTruncated: Bool) throws {
    var settings = fixture.settings()
    #expect(try fixture.run(settings).done == 2)
    if isTruncated {
      try fixture.folder.write("garbage", to: "in/one.sqlite")
    } else {
      try FileManager.default.removeItem(atPath: path)
      settings.checksPages = false
    }
    let counts = try fixture.run(settings)
    #expect(counts.refused == [isTruncated ? "not-sqlite" : "no-such-file": 1], "\(counts)")
    #expect(counts.stale == 1 && counts.done == 1, "\(counts)")
    #expect(try fixture.line(settings, of: path)?.staleResult == key.folder)
  }
}
