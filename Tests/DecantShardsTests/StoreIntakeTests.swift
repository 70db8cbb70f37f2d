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

  @Test("a copy of an earlier run is used again, and one that was moved away is made anew")
  func reuse() throws {
    let (intake, job) = intake()
    #expect(isReady(intake.run(job, settled: nil)))
    var (first, second) = (stat(), stat())
    #expect(lstat(job.source, &first) == 0)
    #expect(isReady(intake.run(job, settled: nil)))
    #expect(lstat(job.source, &second) == 0)
    #expect(first.st_ino == second.st_ino)
    // A run was killed while it delivered the copy itself.
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
}
