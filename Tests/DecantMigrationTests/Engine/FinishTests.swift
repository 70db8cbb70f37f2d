@testable import DecantPasses
@testable import DecantReport
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("A run that is killed at its end") struct FinishTests {
  /// The work folder at the moment when a run reports this action.
  private func snapshot(_ shop: Workshop, at moment: String) throws -> URL {
    let copy = shop.folder.url.appendingPathComponent("snapshot")
    let work = shop.work
    let observe: @Sendable (MigrationProgress) -> Void = { progress in
      guard progress.stage == .finish, progress.entityMapping == moment else { return }
      try? FileManager.default.copyItem(at: work, to: copy)
    }
    // With a stated chunk size a small store has a working file, too.
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
    try SQLiteDatabase(file, mode: .readWrite).execute("DROP TABLE \(Checkpoint.table)")
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
}
