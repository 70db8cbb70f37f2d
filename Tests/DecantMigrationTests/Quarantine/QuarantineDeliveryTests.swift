import Foundation
import Testing

@testable import DecantMigration

@Suite("Quarantine: runs that end after the quarantine is delivered and before the store is")
struct QuarantineDeliveryTests {
  private static func job(_ shop: Workshop) throws -> MigrationJob {
    try FileManager.default.createDirectory(
      at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
    var job = shop.job()
    job.notesResult = true
    job.workFolder = shop.folder.url.appendingPathComponent("work")
    return job
  }

  /// Runs a job until its report, which fails.
  ///
  /// At this time all files except the store are in place.
  private static func end(_ shop: Workshop) throws {
    let prepared = try JobPreparation(job: job(shop)).prepare()
    try #require(!prepared.steps.isEmpty)
    #expect(throws: CancellationError.self) {
      try JobRun(prepared, shouldStop: { false }, progress: { _ in }) { _, _, _ in throw CancellationError() }
        .run()
    }
  }

  private static func delivered(_ shop: Workshop) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path).sorted()
  }

  @Test("the quarantine is delivered again, also if its folder was emptied", arguments: [false, true])
  func again(isEmptied: Bool) throws {
    let whole = try QuarantineResumeTests.workshop()
    let report = try Migration.run(Self.job(whole))
    let expected = try QuarantineResumeTests.picture(whole)
    let shop = try QuarantineResumeTests.workshop()
    try Self.end(shop)
    #expect(try Self.delivered(shop).contains("Store.quarantine.sqlite"))
    #expect(try !Self.delivered(shop).contains("Store.sqlite"))
    if isEmptied {
      for name in try Self.delivered(shop) {
        try FileManager.default.removeItem(
          at: shop.output.deletingLastPathComponent().appendingPathComponent(name))
      }
    }
    let resumed = try Migration.run(Self.job(shop))
    #expect(try QuarantineResumeTests.picture(shop) == expected)
    #expect(resumed.steps.last?.quarantine == report.steps.last?.quarantine)
    #expect(resumed.steps.last?.resumedChunks ?? 0 > 0)
  }

  @Test("if a job with a noted result runs again, its quarantine is delivered again")
  func takenBack() throws {
    let shop = try QuarantineResumeTests.workshop()
    _ = try Migration.run(Self.job(shop))
    let expected = try QuarantineResumeTests.picture(shop)
    for name in try Self.delivered(shop) where name.contains("quarantine") {
      try FileManager.default.removeItem(
        at: shop.output.deletingLastPathComponent().appendingPathComponent(name))
    }
    let again = try Migration.run(Self.job(shop))
    #expect(try QuarantineResumeTests.picture(shop) == expected)
    #expect(again.steps.last?.resumedChunks ?? 0 > 0)
  }

  @Test("if the family's settings ask for no quarantine any more, the earlier run's quarantine is removed")
  func unwanted() throws {
    let shop = try Workshop("A\n text String?", "A\n text String? max 3\n other String?")
    try shop.makeStore(
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'ok'), (2, 1, 1, 'too long')")
    try shop.folder.write("{ validation: \"quarantine\" }", to: "models/Notes/family.json5")
    try Self.end(shop)
    #expect(try Self.delivered(shop) == ["Store.quarantine.json", "Store.quarantine.sqlite"])
    try shop.folder.write("{ validation: \"report\" }", to: "models/Notes/family.json5")
    let report = try Migration.run(Self.job(shop))
    #expect(report.steps.last?.quarantine == nil)
    #expect(try Self.delivered(shop) == ["Store.sqlite"])
  }
}
