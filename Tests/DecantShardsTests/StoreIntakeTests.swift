import DecantReport
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("Copying a store into the scratch folder") struct StoreIntakeTests {
  let fixture: ShardFixture

  init() throws { fixture = try ShardFixture() }

  private func intake() -> (StoreIntake, StoreJob) {
    let path = FileName(fixture.folder.path("in/one.sqlite"))
    let key = PathKey(of: path)
    let job = StoreJob(path, key: key, scratch: fixture.folder.path("scratch/\(key.hex)"))
    return (StoreIntake(settings: "s", output: fixture.folder.path("out")) { true }, job)
  }

  private func isReady(_ end: StoreIntake.End) -> Bool {
    if case .ready = end { true } else { false }
  }

  @Test("an earlier run's copy is used again, and a missing copy is made again")
  func reuse() throws {
    let (intake, job) = intake()
    #expect(isReady(intake.run(job, settled: nil)))
    var (first, second) = (stat(), stat())
    #expect(lstat(job.source, &first) == 0)
    #expect(isReady(intake.run(job, settled: nil)))
    #expect(lstat(job.source, &second) == 0)
    #expect(first.st_ino == second.st_ino)
    // As if a run was killed after it had moved the copy to the output.
    try FileManager.default.moveItem(atPath: job.sourceFolder, toPath: fixture.folder.path("moved"))
    #expect(isReady(intake.run(job, settled: nil)))
    #expect(lstat(job.source, &second) == 0)
  }

  @Test("a source that has changed since is copied again")
  func changed() throws {
    let (intake, job) = intake()
    #expect(isReady(intake.run(job, settled: nil)))
    try FileManager.default.removeItem(atPath: fixture.folder.path("in/one.sqlite"))
    try fixture.store("one.sqlite", rows: 44)
    #expect(isReady(intake.run(job, settled: nil)))
    #expect(
      FileManager.default.contentsEqual(atPath: fixture.folder.path("in/one.sqlite"), andPath: job.source))
  }

  @Test("a copy of an earlier run is made again if any of its files is damaged", arguments: ["", "-wal"])
  func damagedCopy(suffix: String) throws {
    try fixture.folder.write(String(repeating: "log", count: 100), to: "in/one.sqlite-wal")
    let (intake, job) = intake()
    #expect(isReady(intake.run(job, settled: nil)))
    let (copy, source) = (job.source + suffix, fixture.folder.path("in/one.sqlite") + suffix)
    let size = try Data(contentsOf: URL(fileURLWithPath: copy)).count
    // After a loss of power a file may be empty, or be full of zeros.
    for damaged in [Data(), Data(count: size)] {
      try damaged.write(to: URL(fileURLWithPath: copy))
      #expect(isReady(intake.run(job, settled: nil)))
      #expect(FileManager.default.contentsEqual(atPath: copy, andPath: source))
    }
  }

  @Test("a source that is written while it is copied is tried again later")
  func changing() throws {
    let path = FileName(fixture.folder.path("in/one.sqlite"))
    let (_, job) = intake()
    let intake = StoreIntake(settings: "s", output: fixture.folder.path("out")) {
      // This closure runs while the file is copied.
      var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
      return utimensat(AT_FDCWD, path.text, &times, 0) == 0
    }
    guard case .failed(_, let failure, _) = intake.run(job, settled: nil) else {
      Issue.record("It was copied.")
      return
    }
    #expect(failure.reason == .sourceChanged && failure.disposition == .retry)
    #expect(!FileManager.default.fileExists(atPath: job.scratch))
  }

  @Test("if a file beside the store disappears during the copying, the store isn't reported as missing")
  func vanishing() throws {
    for name in ["A", "B"] { try fixture.folder.write(name, to: "in/.one_SUPPORT/\(name)") }
    let (_, job) = intake()
    let (copied, next) = (job.sourceFolder + "/.one_SUPPORT/A", fixture.folder.path("in/.one_SUPPORT/B"))
    let intake = StoreIntake(settings: "s", output: fixture.folder.path("out")) {
      if FileManager.default.fileExists(atPath: copied) { try? FileManager.default.removeItem(atPath: next) }
      return true
    }
    guard case .failed(_, let failure, _) = intake.run(job, settled: nil) else {
      Issue.record("It was copied.")
      return
    }
    #expect(failure.reason == .sourceChanged && failure.disposition == .retry, "\(failure)")
    #expect(!FileManager.default.fileExists(atPath: job.scratch))
  }

  @Test("a failure of the scratch folder doesn't refuse the store; a missing store is refused")
  func trouble() throws {
    let path = FileName(fixture.folder.path("in/one.sqlite"))
    func failure(_ path: FileName, scratch: String) -> MigrationFailure? {
      let job = StoreJob(path, key: PathKey(of: path), scratch: fixture.folder.path(scratch))
      let intake = StoreIntake(settings: "s", output: fixture.folder.path("out")) { true }
      if case .failed(_, let failure, _) = intake.run(job, settled: nil) { return failure } else { return nil }
    }
    #expect(failure(path, scratch: "none/job")?.disposition == .retry)
    let missing = failure(path + ".none", scratch: "scratch/job")
    #expect(missing?.reason == .noSuchFile && missing?.disposition == .refuse)
  }
}
