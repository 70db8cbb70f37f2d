import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantPasses
@testable import DecantReport

@Suite("A run that is killed at its end") struct FinishTests {
  /// A copy of the work folder from the moment when a run reports this action.
  private func snapshot(_ shop: Workshop, at moment: String) throws -> URL {
    let copy = shop.folder.url.appendingPathComponent("snapshot")
    let work = shop.work
    let observe: @Sendable (MigrationProgress) -> Void = { progress in
      guard progress.stage == .finish, progress.entityMapping == moment else { return }
      try? FileManager.default.copyItem(at: work, to: copy)
    }
    // With a stated chunk size, even a small store has a working file.
    _ = try Migration.run(shop.job(chunkSize: 100), progress: observe)
    try FileManager.default.removeItem(at: shop.output)
    return copy
  }

  private func goOn(_ shop: Workshop, from snapshot: URL) throws -> Migrated {
    try FileManager.default.moveItem(at: snapshot, to: shop.work)
    let result = try shop.migrate(chunkSize: 100)
    #expect(result.report.steps.map(\.chunks) == [0])
    #expect(result.report.steps[0].resumedChunks > 0)
    return result
  }

  @Test(arguments: ["integrity check", "checkpoint"])
  func whatWasDoneIsNotDoneAgain(moment: String) throws {
    let expected = try RichStore.workshop().migrate()
    let shop = try RichStore.workshop()
    let result = try goOn(shop, from: try snapshot(shop, at: moment))
    #expect(result.store.objects == expected.store.objects)
    #expect(result.report.steps[0].entities == expected.report.steps[0].entities)
    #expect(result.report.warnings == expected.report.warnings)
  }

  @Test func aCompleteFileThatHasNotItsNameYetIsRecognised() throws {
    let expected = try RichStore.workshop().migrate()
    let shop = try RichStore.workshop()
    let folder = try snapshot(shop, at: "checkpoint")
    let file = folder.appendingPathComponent("step-1.sqlite.partial").path
    try SQLiteDatabase(file, mode: .readWrite).execute("DROP TABLE \(Checkpoint.pieces)")
    let result = try goOn(shop, from: folder)
    #expect(result.store.objects == expected.store.objects)
    #expect(result.report.steps[0].entities == expected.report.steps[0].entities)
  }

  @Test func aWorkingFileWithoutCheckpointThatIsNotCompleteIsMadeAnew() throws {
    let expected = try RichStore.workshop().migrate()
    let shop = try RichStore.workshop()
    let folder = try snapshot(shop, at: "checkpoint")
    let file = folder.appendingPathComponent("step-1.sqlite.partial")
    try Data().write(to: file)
    try FileManager.default.moveItem(at: folder, to: shop.work)
    let result = try shop.migrate(chunkSize: 100)
    #expect(result.report.steps[0].chunks > 0)
    #expect(result.store.objects == expected.store.objects)
  }

  /// In an earlier form, one table held everything: the pieces −1, −2 and −3 were the digest, the time and the check.
  @Test func aWorkingFileOfAnEarlierVersionIsMadeAnew() throws {
    let expected = try RichStore.workshop().migrate()
    let shop = try RichStore.workshop()
    let folder = try snapshot(shop, at: "checkpoint")
    try SQLiteDatabase(folder.appendingPathComponent("step-1.sqlite.partial").path, mode: .readWrite).execute(
      """
      CREATE TABLE earlier (work INTEGER PRIMARY KEY, position INTEGER, taken INTEGER, rows INTEGER,
        chunks INTEGER, done INTEGER, digest TEXT);
      INSERT INTO earlier SELECT *, NULL FROM \(Checkpoint.pieces);
      INSERT INTO earlier (work, digest) SELECT -1, digest FROM \(Checkpoint.step);
      INSERT INTO earlier (work, position) SELECT -2, began FROM \(Checkpoint.step);
      INSERT INTO earlier (work) VALUES (-3);
      DROP TABLE \(Checkpoint.pieces);
      DROP TABLE \(Checkpoint.step);
      ALTER TABLE earlier RENAME TO \(Checkpoint.pieces);
      """)
    try FileManager.default.moveItem(at: folder, to: shop.work)
    let result = try shop.migrate(chunkSize: 100)
    #expect(result.report.steps[0].chunks > 0 && result.report.steps[0].resumedChunks == 0)
    #expect(result.store.objects == expected.store.objects)
    let left = try SQLiteDatabase(shop.output.path, mode: .immutable).integer(
      "SELECT count(*) FROM sqlite_master WHERE name LIKE 'Z_DECANT%' OR name = 'earlier'")
    #expect(left == 0)
  }
}
