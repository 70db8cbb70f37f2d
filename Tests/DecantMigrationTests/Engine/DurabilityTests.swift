import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantPasses
@testable import DecantReport

/// Steps with mapping models make their working file durable from the start, after the first chunk, or only at the end.
@Suite("When a working file becomes durable") struct DurabilityTests {
  /// The largest number of states per job.
  ///
  /// By default it is a sample of all statements.
  private static let most = MatrixSettings.isWhole ? Int.max : 30
  private static let never = Duration.seconds(3600)

  /// A job with its own folder.
  ///
  /// The value of `now()` is always the same.
  private func job(_ shop: Workshop, _ name: String, _ patience: Duration) -> MigrationJob {
    var job = shop.job()
    let folder = URL(fileURLWithPath: shop.folder.url.resolvingSymlinksInPath().path)
    job.output = folder.appendingPathComponent("\(name)/Store.sqlite")
    job.workFolder = folder.appendingPathComponent("\(name)/work")
    job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
    job.patience = patience
    return job
  }

  @Test(
    "a finished file without a note is removed before its step is made again, because a later note would fit it"
  )
  func strayFile() throws {
    let shop = try Workshop("Note\n a String?", "Note\n b String?")
    try shop.map(#"{ source: "Note", destination: "Note", attributes: { b: "$source.a" } }"#)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let stray = "job/work/step-1.sqlite"
    for file in [stray, "job/work/step-1.sqlite.partial-journal"] { try shop.folder.write("torn", to: file) }
    let job = job(shop, "job", .zero)
    #expect(throws: MigrationFailure.self) {
      try Migration.run(
        job, shouldStop: { FileManager.default.fileExists(atPath: shop.folder.path(stray + ".partial")) })
    }
    #expect(!FileManager.default.fileExists(atPath: shop.folder.path(stray)))
    #expect(try Migration.run(job).steps.count == 1)
  }

  /// Copies of the work folder as a kill leaves it, at most about `most`.
  private func states(_ shop: Workshop, _ patience: Duration, most: Int = most) throws -> [URL] {
    let counted = job(shop, "counted", patience)
    let none = counted.workFolder.deletingLastPathComponent().appendingPathComponent("none")
    let counting = StatementSnapshots(of: counted.workFolder, in: none, every: .max)
    _ = try StatementTrap.with(folder: counted.workFolder.path, action: { counting.take() }) {
      try Migration.run(counted)
    }
    let total = counting.count.withLock { $0 }
    #expect(total > 40)
    let killed = job(shop, "killed", patience)
    let place = killed.workFolder.deletingLastPathComponent().appendingPathComponent("states")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let snapshots = StatementSnapshots(of: killed.workFolder, in: place, every: max(1, total / most))
    _ = try StatementTrap.with(folder: killed.workFolder.path, action: { snapshots.take() }) {
      try Migration.run(killed)
    }
    return snapshots.folders.withLock { $0 }
  }

  private struct Result {
    let report: MigrationReport
    let store: SourceStore
    let associations: [String]

    init(_ job: MigrationJob) throws {
      report = try Migration.run(job)
      let scratch = job.output.deletingLastPathComponent().appendingPathComponent("scratch")
      store = try SourceStore(job.output.path, scratch: scratch.path)
      associations = try PlainSQLite.dump(KeptAssociations.place(beside: job.output))
    }

    var resumedChunks: Int { report.steps.map(\.resumedChunks).reduce(0, +) }

    func check(_ expected: Result, _ words: Comment) throws {
      #expect(try BothWays.differences(expected.store, store) == [], words)
      #expect(associations == expected.associations, words)
      #expect(report.warnings == expected.report.warnings && report.losses == expected.report.losses, words)
      #expect(report.steps.map(\.entities) == expected.report.steps.map(\.entities), words)
    }
  }

  /// Runs a job that begins with a state of the work folder.
  private func resume(_ shop: Workshop, from state: URL, _ patience: Duration) throws -> Result {
    let job = job(shop, "resumed-\(state.lastPathComponent)-\(UUID().uuidString)", patience)
    try FileManager.default.createDirectory(
      at: job.workFolder.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: state, to: job.workFolder)
    let result = try Result(job)
    #expect(!FileManager.default.fileExists(atPath: job.workFolder.path))
    return result
  }

  @Test(
    "a job that is killed at any statement ends with the same result",
    arguments: [Duration.zero, .nanoseconds(1), never])
  func killed(patience: Duration) throws {
    let shop = try PassChunkTests.workshop()
    let expected = try Result(job(shop, "whole", .zero))
    var resumed = 0
    let states = try states(shop, patience)
    for state in states {
      let result = try resume(shop, from: state, patience)
      try result.check(expected, "after statement \(state.lastPathComponent)")
      resumed += result.resumedChunks > 0 ? 1 : 0
    }
    #expect(patience == Self.never ? resumed == 0 : resumed > states.count / 4)
  }

  @Test("a file that isn't made durable has no digest, so a run after a power cut doesn't use it")
  func powerCut() throws {
    let shop = try PassChunkTests.workshop()
    let expected = try Result(job(shop, "whole", .zero))
    var torn = 0
    for state in try states(shop, Self.never, most: 12) {
      let file = state.appendingPathComponent("step-1.sqlite.partial")
      guard var data = try? Data(contentsOf: file), data.count >= 8 << 12 else { continue }
      let digest = try? SQLiteDatabase(file.path, mode: .immutable).integer(
        "SELECT count(*) FROM \(Checkpoint.step) WHERE digest <> ''")
      #expect(digest ?? 0 == 0)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: state.path).allSatisfy { !$0.hasSuffix(".json") })
      // Only every third page has reached the disk.
      for page in 1..<data.count >> 12 where page % 3 != 0 {
        data.replaceSubrange(page << 12..<(page + 1) << 12, with: Data(count: 1 << 12))
      }
      for content in [data, data.prefix(data.count / 2)] {
        try content.write(to: file)
        let result = try resume(shop, from: state, Self.never)
        try result.check(expected, "after statement \(state.lastPathComponent)")
        #expect(result.resumedChunks == 0)
        torn += 1
      }
    }
    #expect(torn > 4)
  }

  /// Two steps from V1 to V3, each by a mapping model.
  private func chain() throws -> Workshop {
    let shop = try Workshop(
      "Note\n  text String?", "Note\n  text String?\n  more String?", "Note\n  text String?\n  most String?")
    try shop.map(
      "One", "{ source: \"Note\", destination: \"Note\", attributes: { more: \"$source.text\" } }", further: "")
    try shop.map(
      "Two", "{ source: \"Note\", destination: \"Note\", attributes: { most: \"uppercase:($source.more)\" } }",
      further: "", source: "V2", destination: "V3")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (5, 1, 1, NULL)")
    return shop
  }

  @Test("a short step is noted if another step follows, so that a later run continues after it")
  func chained() throws {
    let shop = try chain()
    let expected = try Result(job(shop, "whole", .zero))
    #expect(expected.report.steps.count == 2)
    var noted = 0
    for state in try states(shop, Self.never) {
      let result = try resume(shop, from: state, Self.never)
      try result.check(expected, "after statement \(state.lastPathComponent)")
      let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
      #expect(!names.contains("step-2.json"))
      #expect((result.resumedChunks > 0) == names.contains("step-1.json"), "\(names)")
      if names.contains("step-1.json") {
        noted += 1
        #expect(result.report.steps[0].chunks == 0 && result.report.steps[1].resumedChunks == 0)
      }
    }
    #expect(noted > 0)
  }
}
