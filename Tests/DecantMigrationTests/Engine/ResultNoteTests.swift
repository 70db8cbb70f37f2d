import Foundation
import Testing

@testable import DecantMigration

@Suite("The note on a finished result") struct ResultNoteTests {
  private func noted() throws -> (shop: Workshop, job: MigrationJob, report: MigrationReport) {
    let shop = try RichStore.workshop()
    var job = shop.job(chunkSize: 1)
    job.notesResult = true
    return (shop, job, try Migration.run(job))
  }

  @Test func itSpeaksOfTheResultAndHoldsItsReport() throws {
    let (shop, job, report) = try noted()
    let folder = shop.output.deletingLastPathComponent().path
    var note = try #require(ResultNote(in: job.workFolder.path, results: folder)).report
    #expect(try FileManager.default.contentsOfDirectory(atPath: job.workFolder.path) == [ResultNote.name])
    #expect(!note.steps.isEmpty)
    // The work ends once more when the result is in its place.
    (note.seconds, note.ended) = (report.seconds, report.ended)
    #expect(note == report)
  }

  @Test func whereTheResultIsAnotherOneThereIsNone() throws {
    let (shop, job, _) = try noted()
    let folder = shop.output.deletingLastPathComponent().path
    #expect(ResultNote(in: job.workFolder.path, results: job.workFolder.path) == nil)
    let copy = shop.output.path + "-copy"
    try FileManager.default.copyItem(atPath: shop.output.path, toPath: copy)
    #expect(rename(copy, shop.output.path) == 0)
    #expect(ResultNote(in: job.workFolder.path, results: folder) == nil)
  }

  @Test func aRunThatBeginsForgetsIt() throws {
    let (shop, job, _) = try noted()
    try FileManager.default.removeItem(at: shop.output)
    var stopped = job
    stopped.claimedAt = Date()
    #expect(throws: MigrationFailure.self) { try Migration.run(stopped, shouldStop: { true }) }
    _ = try Migration.run(job)
    let folder = shop.output.deletingLastPathComponent().path
    #expect(ResultNote(in: job.workFolder.path, results: folder) != nil)
  }

  @Test func withoutTheWishForOneTheWorkFolderGoes() throws {
    let shop = try RichStore.workshop()
    let job = shop.job(chunkSize: 1)
    _ = try Migration.run(job)
    #expect(!FileManager.default.fileExists(atPath: job.workFolder.path))
  }
}
