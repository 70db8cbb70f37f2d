import DecantTestSupport
import Foundation
import Testing

@testable import DecantWorker

@Suite("The pool of workers")
struct WorkerPoolTests {
  @Test("a worker that doesn't stop in time is not reported as ended by the system")
  func notStopped() throws {
    let folder = try TemporaryFolder.short()
    try FakeWorker.write(to: folder)
    try folder.write("deaf\n", to: "a.sqlite")
    let pool = WorkerPool(
      settings: .init(
        executable: folder.path("worker.sh"), arguments: [], count: 1, hangSeconds: 0, stopSeconds: 1))
    defer { pool.kill() }
    let job = WorkerJob(
      id: "J", source: folder.path("a.sqlite"), output: folder.path("out"), workFolder: folder.path("work"),
      catalogue: folder.path("Models"))
    let start = ContinuousClock.now
    var now: Double { start.duration(to: .now) / .seconds(1) }
    var (isGiven, death) = (false, nil as WorkerDeath?)
    _ = pool.provide(forJobs: 1, at: now)
    while death == nil, now < 60 {
      for event in pool.events(at: now) {
        switch event {
        case .progress(let id, _): pool.stop(job: id, at: now)
        case .died(_, let found): death = found
        default: Issue.record("\(event)")
        }
      }
      if !isGiven { isGiven = pool.assign(job, at: now) }
      usleep(10_000)
    }
    let found = try #require(death)
    #expect(found.cause == .notStopped(seconds: 1))
    #expect(found.message.contains("didn't stop within 1 s"), "\(found.message)")
    let advice = found.advice(chunkSetting: "chunks", hangSetting: "hang", memory: "more memory")
    #expect(advice == "If the work is only slow, give it fewer rows at a time (chunks).")
  }
}
