import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("Stores that are missing") struct MissingStoresTests {
  let folder: TemporaryFolder
  private let removed = MigrationFailure(.noSuchFile, message: "It is gone.")

  init() throws {
    folder = try TemporaryFolder("decant-missing")
    for name in ["empty", "full"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write("x", to: "full/other")
  }

  private func job(_ name: String, on device: dev_t?, isThere: Bool = false) -> StoreJob {
    let path = FileName(folder.path(name))
    var job = StoreJob(path, key: PathKey(of: path), scratch: "")
    job.device = device
    job.state = isThere ? "state" : nil
    return job
  }

  @Test("a missing store on another file system waits, and is refused if a store is found there later")
  func foundLater() {
    var missing = MissingStores(findsStores: true, device: 1)
    #expect(missing.judge(job("full/a", on: 1), removed)?.disposition == .refuse)
    #expect(missing.judge(job("full/b", on: 2), removed) == nil)
    #expect(missing.judge(job("full/c", on: 3), removed) == nil)
    #expect(!missing.isEmpty)
    // A missing store doesn't show that its file system has stores.
    missing.note(found: job("full/d", on: 3))
    missing.note(found: job("full/e", on: 2, isThere: true))
    #expect(missing.judge(job("full/f", on: 2), removed)?.disposition == .refuse)
    var ends: [FileName: FailureDisposition] = [:]
    while let (path, failure) = missing.next() { ends[path] = failure.disposition }
    #expect(ends == [FileName(folder.path("full/b")): .refuse, FileName(folder.path("full/c")): .retry])
    #expect(missing.isEmpty)
  }

  @Test("if no store is found at all, a missing store is refused, unless its folder is empty")
  func nothingFound() {
    var missing = MissingStores(findsStores: false, device: nil)
    #expect(missing.judge(job("empty/a", on: 1), removed)?.disposition == .retry)
    #expect(missing.judge(job("full/b", on: 1), removed) == nil)
    #expect(missing.next()?.failure.disposition == .refuse)
    #expect(missing.judge(job("none/x", on: nil), removed)?.disposition == .refuse)
  }
}
