import DecantStore
import DecantTestSupport
import Foundation
import Synchronization
import Testing

@testable import DecantMigration
@testable import DecantPasses
@testable import DecantReport

@Suite("Digests of a store's files")
struct FilesDigestTests {
  private func sha256(_ path: String) throws -> String {
    let sum = Process()
    sum.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    sum.arguments = [path]
    let pipe = Pipe()
    sum.standardOutput = pipe
    try sum.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    sum.waitUntilExit()
    return String(String(decoding: data, as: UTF8.self).prefix(64))
  }

  @Test(
    "files of any number of pieces, and -wal and journal, have the digests that sha256sum gives")
  func sizes() throws {
    let folder = try TemporaryFolder("decant-digest")
    let path = folder.path("Store.sqlite")
    for size in [0, 1, 1 << 20, (1 << 20) + 1, 5_000_001] {
      let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try data.write(to: URL(fileURLWithPath: path))
      try Data("log".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
      let files = try FilesDigest.reading(of: URL(fileURLWithPath: path)).value { true }
      #expect(try files.bytes == size && files.sha256 == sha256(path))
      #expect(try files.wal == .init(bytes: 3, sha256: sha256(path + "-wal")))
      #expect(files.journal == nil && files.externalFiles == 0)
    }
    try folder.write("old", to: "Store.sqlite-journal")
    try folder.write("12345", to: ".Store_SUPPORT/_EXTERNAL_DATA/A")
    try folder.write("678", to: ".Store_SUPPORT/_EXTERNAL_DATA/B")
    let files = try FilesDigest.files(of: URL(fileURLWithPath: path)) { true }
    #expect(files.journal?.bytes == 3 && files.externalFiles == 2 && files.externalBytes == 8)
  }

  @Test("reading asks before each piece whether to continue, and returns nothing for a part of a file")
  func pieces() throws {
    let folder = try TemporaryFolder("decant-digest")
    let url = URL(fileURLWithPath: folder.path("Store.sqlite"))
    try Data(count: 5_000_000).write(to: url)
    var asked = 0
    _ = try FilesDigest.files(of: url) {
      asked += 1
      return true
    }
    // Five pieces, and an empty piece at the end.
    #expect(asked == 6)
    for last in [1, 3] {
      asked = 0
      #expect(throws: StepFailure.self) {
        _ = try FilesDigest.files(of: url) {
          asked += 1
          return asked < last
        }
      }
      #expect(asked == last)
    }
  }

  /// The last stages of a job.
  enum Moment: CaseIterable { case copying, reading }

  @Test("a job that is stopped in a last stage continues later and repeats no step", arguments: Moment.allCases)
  func stopped(moment: Moment) throws {
    let expected = try RichStore.workshop().migrate(chunkSize: 1).store.objects
    let shop = try RichStore.workshop()
    let external = "out/.Store_SUPPORT/_EXTERNAL_DATA/A"
    try shop.folder.write("12345", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/A")
    var job = shop.job(chunkSize: 1)
    job.finishBeat = 0
    // A link is made at once, but a copy may be stopped in its middle.
    job.linksExternalFiles = moment == .reading
    let step = job.workFolder.appendingPathComponent("step-1.sqlite").path
    // The step is finished, and its files are being moved.
    let sign = moment == .copying ? step : shop.folder.path(external)
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(job, shouldStop: { FileManager.default.fileExists(atPath: sign) })
    }
    #expect(failure?.disposition == .stopped)
    #expect(
      FileManager.default.fileExists(atPath: step) && !FileManager.default.fileExists(atPath: job.output.path))
    #expect(FileManager.default.fileExists(atPath: shop.folder.path(external)) == (moment == .reading))
    let finishing = Mutex(0)
    let report = try Migration.run(
      job,
      progress: { progress in
        if progress.stage == .finish { finishing.withLock { $0 += 1 } }
      })
    #expect(try shop.finished(report).store.objects == expected)
    #expect(report.steps[0].chunks == 0 && report.steps[0].resumedChunks > 0)
    #expect(report.destination?.bytes ?? 0 > 0 && report.source?.externalBytes == 5)
    // Events of the external data, and of the pieces of the result.
    #expect(finishing.withLock { $0 } >= 2)
  }

  @Test("a missing store is an error, and a reading can be cancelled")
  func missing() throws {
    let folder = try TemporaryFolder("decant-digest")
    let url = URL(fileURLWithPath: folder.path("None.sqlite"))
    #expect(throws: StoreError.self) { try FilesDigest.files(of: url) { true } }
    #expect(throws: StoreError.self) { _ = try FilesDigest.reading(of: url).value { true } }
    FilesDigest.reading(of: url).cancel()
  }
}
