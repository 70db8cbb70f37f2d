import DecantCatalogue
import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

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
    let left = try FileManager.default.contentsOfDirectory(atPath: job.workFolder.path)
    #expect(Set(left) == [ResultNote.name, "step-1.json"])
    #expect(!note.steps.isEmpty)
    // The report has the time when the store was delivered, which is later than the note.
    (note.seconds, note.ended) = (report.seconds, report.ended)
    #expect(note == report)
  }

  @Test("a file in the output's folder that can't be removed ends the run")
  func leftover() throws {
    let (shop, job, _) = try noted()
    // The name isn't valid UTF-8, so it can't be given to the call that removes the file.
    let folder = shop.output.deletingLastPathComponent().path
    let name = Array("\(folder)/".utf8).map { CChar(bitPattern: $0) } + [-1, 0]
    try #require(mkdir(name, 0o700) == 0)
    #expect { try Migration.run(job) } throws: {
      guard let failure = $0 as? MigrationFailure else { return false }
      return failure.reason == .files && failure.message.contains("can't be removed")
    }
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

  @Test func itIsCurrentUntilTheFamilyOrTheArgumentsChange() throws {
    let shop = try RichStore.workshop()
    var job = shop.job(chunkSize: 1)
    job.notesResult = true
    // The family's files are too young: another change at the same time would not be noticed.
    _ = try Migration.run(job)
    let folder = shop.output.deletingLastPathComponent().path
    #expect(try !#require(ResultNote(in: job.workFolder.path, results: folder)).isCurrent(for: job))
    sleep(4)
    _ = try Migration.run(job)
    let note = try #require(ResultNote(in: job.workFolder.path, results: folder))
    #expect(note.isCurrent(for: job))
    let changes: [(inout MigrationJob) -> Void] = [
      { $0.target = "V1" }, { $0.family = "Notes" }, { $0.rewrite = true }, { $0.checksPages = false },
      { $0.keepsAssociations = true }, { $0.catalogue = shop.folder.url },
    ]
    for change in changes {
      var other = job
      change(&other)
      #expect(!note.isCurrent(for: other))
    }
    var same = job
    (same.chunkSize, same.refusesLosses) = (7, true)
    #expect(note.isCurrent(for: same))
    try shop.folder.write("{}", to: "models/Notes/family.json5")
    #expect(!note.isCurrent(for: job))
  }

  /// A note about a result for which a worker's code was used.
  ///
  /// The family's files count as old.
  private func note(_ shop: Workshop, program: String, hasCode: Bool = true) throws -> ResultNote {
    try shop.folder.write("result", to: "Store.sqlite")
    var job = shop.job(chunkSize: 1)
    if hasCode { job.policies.add(EntityMigrationPolicy.self, as: "P") }
    let report = MigrationReport(
      result: .migrated, store: "S", family: "Notes", sourceVersion: "1", targetVersion: "2", decantVersion: "t"
    )
    return try ResultNote(
      report, file: shop.folder.url.appendingPathComponent("Store.sqlite").path, of: job,
      FamilyStamp(of: job.catalogue.appendingPathComponent("Notes").path, at: .max),
      program: ProgramStamp(of: program))
  }

  @Test func itIsCurrentWhileTheWorkerWithTheCodeIsTheSame() throws {
    let shop = try RichStore.workshop()
    let job = shop.job(chunkSize: 1)
    let worker = shop.folder.url.appendingPathComponent("worker").path
    try shop.folder.write("code", to: "worker-1")
    try shop.folder.write("code", to: "worker-2")
    symlink("worker-1", worker)
    let coded = try note(shop, program: worker)
    let plain = try note(shop, program: worker, hasCode: false)
    #expect(coded.isCurrent(for: job) && plain.isCurrent(for: job) && coded.isOfCatalogue)
    #expect(try !note(shop, program: worker + "-0").isCurrent(for: job))
    unlink(worker)
    symlink("worker-2", worker)
    #expect(!coded.isCurrent(for: job) && !coded.isOfCatalogue)
    #expect(plain.isCurrent(for: job))
    #expect(ProgramStamp.running?.holds == true)
  }

  @Test func itIsCurrentForTheVersionOfDecantThatMadeTheResult() throws {
    let shop = try RichStore.workshop()
    let note = try note(shop, program: "/proc/self/exe")
    let text = String(decoding: try JSONEncoder().encode(note), as: UTF8.self)
    let other = text.replacing(
      "\"version\":\"\(Migration.decantVersion)\"", with: "\"version\":\"0.0.9\"")
    let read = try [text, other].map { try #require(ResultNote(Data($0.utf8))).isOfCatalogue }
    #expect(read == [true, false])
  }

  @Test func aNoteThatCouldNotBeReadAgainIsNotWritten() throws {
    let shop = try RichStore.workshop()
    let note = try note(shop, program: "/proc/self/exe")
    let work = shop.folder.url
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: work.path).filter { $0.hasPrefix(ResultNote.name) }
    }
    try note.write(to: work)
    #expect(try names() == [ResultNote.name])
    try note.write(to: work, limit: 100)
    #expect(try names().isEmpty)
  }

  @Test func aResultOfWhichTheStepsAreTheSameIsKept() throws {
    let (shop, job, report) = try noted()
    let again = try Migration.run(job)
    #expect(again.steps[0].chunks == 0 && again.steps[0].resumedChunks == report.steps[0].chunks)
    #expect(again.destination == report.destination)
    _ = try shop.finished(again)
  }

  @Test func whereAStepIsMadeAnewNothingOfTheEarlierResultStays() throws {
    let shop = try Workshop(
      "Note\n text String?", "Note\n text String? max 1\n more String?",
      family: "{ validation: \"quarantine\" }")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'long')")
    var job = shop.job(chunkSize: 1)
    (job.notesResult, job.keepsAssociations) = (true, true)
    let first = try Migration.run(job)
    func names() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path))
    }
    let whole: Set = [
      "Store.sqlite", "Store.associations.sqlite", "Store.quarantine.sqlite", "Store.quarantine.json", "work",
    ]
    #expect(try first.steps[0].quarantine != nil && names() == whole)
    // If the result is kept, all its files are kept.
    let kept = try Migration.run(job)
    #expect(
      try kept.steps[0].chunks == 0 && kept.steps[0].quarantine == first.steps[0].quarantine && names() == whole
    )
    try shop.folder.write("{ validation: \"report\" }", to: "models/Notes/family.json5")
    job.keepsAssociations = false
    let anew = try Migration.run(job)
    #expect(
      try anew.steps[0].resumedChunks == 0 && anew.steps[0].quarantine == nil
        && names() == ["Store.sqlite", "work"])
  }

  @Test func aStoreThatIsAtItsTargetNowHasNoResult() throws {
    let (shop, job, _) = try noted()
    var current = job
    current.target = "V1"
    #expect(try Migration.run(current).result == .alreadyCurrent)
    let folder = shop.output.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
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
