import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps: chunks, stops and resumption") struct ChunkTests {
  @Test func theRichStoreSaysWhatItShould() throws {
    let result = try RichStore.workshop().migrate()
    #expect(result.report.steps.count == 1)
    #expect(result.losses == ["entity Gone 2 → Aaa?"])
    #expect(Set(result.rows) == ["ImageToPicture 11", "TextToText 12", "AlbumToAlbum 4", "TagToLabel 11"])
    let lines = result.lines
    #expect(lines.count == 38)
    #expect(
      lines.first { $0.hasPrefix("Album#1 ") }
        == "Album#1 rating=0.5 cover=Picture#6 images=(Picture#60 Picture#48 Picture#24 Picture#12) "
        + "labels=(Label#1 Label#5 Label#9)")
    #expect(
      lines.first { $0.hasPrefix("Label#1 ") } == "Label#1 albums=[Album#1] staff=(Label#3 Label#4 Label#5)")
    #expect(
      lines.first { $0.hasPrefix("Picture#42") }
        == "Picture#42 caption='image14' name='t4' size=-1 albums=[Album#3]")
    #expect(lines.first { $0.hasPrefix("Text#3 ") } == "Text#3 body=x016231 caption='text1' name='t1' size=1")
    #expect(result.report.warnings.contains { $0.contains("1 object had a relationship “Album.cover”") })
  }

  @Test(arguments: [1, 2, 3, 10, 11, 12, 22, 23, 24, 100])
  func everyChunkSizeGivesTheSameStore(size: Int) throws {
    let whole = try RichStore.workshop().migrate()
    let result = try RichStore.workshop().migrate(chunkSize: size)
    #expect(result.store.objects == whole.store.objects)
    #expect(result.rows == whole.rows)
    #expect(result.report.warnings == whole.report.warnings)
    if size == 1 { #expect(result.report.steps[0].chunks > whole.report.steps[0].chunks + 60) }
  }

  /// The events that an observer received.
  private final class Diary: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [MigrationProgress] = []

    func note(_ progress: MigrationProgress) { lock.withLock { entries.append(progress) } }
    var all: [MigrationProgress] { lock.withLock { entries } }
  }

  @Test func progressOnlyGrowsAndEndsAtTheTotal() throws {
    let shop = try RichStore.workshop()
    let diary = Diary()
    let report = try Migration.run(shop.job(chunkSize: 4), progress: diary.note)
    let entries = diary.all
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.rowsDone <= $1.rowsDone })
    #expect(entries.allSatisfy { $0.rowsDone <= $0.rowsTotal && $0.step == 1 && $0.steps == 1 && $0.pass == 1 })
    #expect(entries.allSatisfy { $0.chunk <= $0.chunks || $0.chunks == 0 })
    #expect(entries.last?.rowsDone == entries.last?.rowsTotal && entries.last?.stage == .finish)
    var stages: [MigrationProgress.Stage] = []
    for entry in entries where stages.last != entry.stage { stages.append(entry.stage) }
    // The indexes are made before the checks, which are then fast.
    #expect(stages == [.open, .create, .relate, .finish, .validate, .finish])
    #expect(report.steps[0].sourceVersion == "V1" && report.steps[0].destinationVersion == "V2")
  }

  private func stop(_ shop: Workshop, after limit: Int, chunkSize: Int = 5) throws -> Bool {
    let stopper = Stopper(after: limit)
    do {
      _ = try Migration.run(shop.job(chunkSize: chunkSize), shouldStop: stopper.shouldStop)
      return false
    } catch {
      #expect(error.disposition == .stopped)
      #expect(error.reason == .stopped)
      #expect(!FileManager.default.fileExists(atPath: shop.output.path))
      return true
    }
  }

  @Test func aRunStoppedAfterAnyChunkGoesOnToTheSameResultAndDoesNoChunkTwice() throws {
    let whole = try RichStore.workshop()
    let stopper = Stopper(after: .max)
    let uninterrupted = try whole.finished(
      try Migration.run(whole.job(chunkSize: 5), shouldStop: stopper.shouldStop))
    let total = uninterrupted.report.steps[0].chunks
    #expect(total > 20)
    // The run also asks before each index whether to stop.
    let indexes = stopper.calls - total
    for limit in 0..<stopper.calls {
      let shop = try RichStore.workshop()
      #expect(try stop(shop, after: limit), "after \(limit)")
      let result = try shop.migrate(chunkSize: 5)
      #expect(result.store.objects == uninterrupted.store.objects, "after \(limit)")
      #expect(result.rows == uninterrupted.rows)
      #expect(result.report.warnings == uninterrupted.report.warnings)
      #expect(result.report.losses == uninterrupted.report.losses)
      #expect(result.report.steps[0].joinRows == uninterrupted.report.steps[0].joinRows)
      let (resumed, done) = (result.report.steps[0].resumedChunks, result.report.steps[0].chunks)
      #expect(resumed + done == total, "after \(limit)")
      #expect(resumed <= limit && resumed >= limit - indexes, "after \(limit)")
    }
  }

  @Test func aRunStoppedAfterEachChunkComesToItsEnd() throws {
    let shop = try RichStore.workshop()
    var runs = 0
    while try stop(shop, after: 1, chunkSize: 7), runs < 200 { runs += 1 }
    #expect(runs > 20 && runs < 200)
    #expect(try shop.read(shop.output, "V2").objects == RichStore.workshop().migrate().store.objects)
  }

  @Test func anotherChunkSizeAfterAStopGivesTheSameResult() throws {
    let expected = try RichStore.workshop().migrate().store.objects
    for limit in [1, 3, 8, 14] {
      let shop = try RichStore.workshop()
      #expect(try stop(shop, after: limit, chunkSize: 3))
      #expect(try shop.migrate(chunkSize: 8).store.objects == expected)
    }
  }

  @Test func aChangedSourceBeginsAnew() throws {
    let shop = try RichStore.workshop()
    #expect(try stop(shop, after: 12))
    try shop.makeStore(RichStore.sql.replacing("'text'", with: "'TEXT'"))
    let result = try shop.migrate(chunkSize: 5)
    #expect(result.report.steps[0].resumedChunks == 0)
    #expect(result.lines.contains { $0.contains("caption='TEXT1'") })
    #expect(!result.lines.contains { $0.contains("caption='text1'") })
  }

  @Test func aChangedDefaultBeginsAnew() throws {
    // A version hash doesn't depend on defaults.
    let shop = try Workshop("Note", "Note\n mood String? = calm")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1)")
    #expect(try stop(shop, after: 2, chunkSize: 1))
    try shop.folder.write(
      ModelText("Note\n mood String? = wild").contents,
      to: "models/Notes/Notes.xcdatamodeld/V2.xcdatamodel/contents")
    let result = try shop.migrate(chunkSize: 1)
    #expect(result.lines == ["Note#1 mood='wild'", "Note#2 mood='wild'", "Note#3 mood='wild'"])
    #expect(result.report.steps[0].resumedChunks == 0)
  }

  // MARK: Several steps

  private static let chain = [
    "Note\n title String?\n size String?", "Note\n title String?", "Note\n title String?\n size Int16? = 3",
  ]
  private static func notes(_ text: String) -> String {
    (1...4).map {
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSIZE) VALUES (\($0), 1, 1, '\(text)\($0)', 'x');"
    }
    .joined()
  }

  @Test func aChainStoppedAnywhereGoesOnAndDoesNoChunkTwice() throws {
    let whole = try Workshop(Self.chain)
    try whole.makeStore(Self.notes("a"))
    let stopper = Stopper(after: .max)
    let uninterrupted = try whole.finished(
      try Migration.run(whole.job(chunkSize: 2), shouldStop: stopper.shouldStop))
    #expect(uninterrupted.report.steps.map(\.destinationVersion) == ["V2", "V3"])
    #expect(uninterrupted.lines == (1...4).map { "Note#\($0) size=3 title='a\($0)'" })
    let total = uninterrupted.report.steps.map(\.chunks)
    for limit in 0..<stopper.calls {
      let shop = try Workshop(Self.chain)
      try shop.makeStore(Self.notes("a"))
      #expect(try stop(shop, after: limit, chunkSize: 2))
      let result = try shop.migrate(chunkSize: 2)
      #expect(result.store.objects == uninterrupted.store.objects)
      #expect(
        zip(total, result.report.steps).allSatisfy { $0 == $1.chunks + $1.resumedChunks }, "after \(limit)")
      let resumed = result.report.steps.reduce(0) { $0 + $1.resumedChunks }
      #expect(resumed <= limit && resumed >= limit - (stopper.calls - total.reduce(0, +)), "after \(limit)")
    }
  }

  @Test func aSourceThatChangesAfterTheFirstStepOfAChainBeginsAnew() throws {
    let shop = try Workshop(Self.chain)
    try shop.makeStore(Self.notes("a"))
    #expect(try stop(shop, after: 4, chunkSize: 2))
    try shop.makeStore(Self.notes("bb"))
    #expect(try shop.migrate(chunkSize: 2).lines == (1...4).map { "Note#\($0) size=3 title='bb\($0)'" })
  }
}
