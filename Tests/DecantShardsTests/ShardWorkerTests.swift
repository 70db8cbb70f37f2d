import DecantTestSupport
import DecantWorker
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("Shards whose workers or whose start fail") struct ShardWorkerTests {
  let fixture: ShardFixture

  init() throws { fixture = try ShardFixture() }

  @Test("a store whose family's worker can't be started leaves nothing in the scratch folder")
  func unusableWorker() throws {
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    try fixture.folder.write("{ worker: \"/bin/false\" }", to: "Models/Notes/family.json5")
    let counts = try fixture.run(fixture.settings())
    #expect(counts.later == ["worker-unusable": 1], "\(counts)")
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test(
    "a run that ends with an error leaves no copies in the scratch folder", arguments: ["worker", "family"])
  func faults(kind: String) throws {
    let paths = try fixture.copies((1...5).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    var settings = fixture.settings()
    if kind == "worker" { settings.program = "/bin/false" } else { settings.family = "Nots" }
    let wanted = settings
    #expect(throws: ShardError.self) { try fixture.run(wanted) }
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test("if a store's worker is killed twice, the advice is about a lack of memory")
  func killed() throws {
    let paths = try fixture.copies(["killer.sqlite"])
    try fixture.manifest(paths)
    var settings = fixture.settings(jobs: 1)
    settings.program = try FrailWorker.write(in: fixture.folder, decant: Repository.program("decant"))
    #expect(try fixture.run(settings).refused == ["worker-died": 1])
    let message = try #require(try fixture.line(settings, of: paths[0])?.message)
    #expect(message.contains("for lack of memory. Give the task more memory"), "\(message)")
    #expect(message.contains("decant ledger --retry") && !message.contains("report it"), "\(message)")
  }

  @Test(
    "signal 9 counts as the store's fault only after a pause, another signal at once",
    arguments: [SIGKILL, SIGSEGV])
  func pause(signal: Int32) throws {
    let path = FileName(fixture.folder.path("in/one.sqlite"))
    try fixture.manifest([path.text])
    let run = try ShardRun(
      fixture.settings(), Manifest(file: fixture.folder.path("manifest")), shouldStop: { false }, tell: { _ in }
    )
    let key = PathKey(of: path)
    run.running[key.hex] = StoreJob(path, key: key, scratch: fixture.folder.path("scratch/one"))
    run.take(
      .died(
        job: key.hex,
        WorkerDeath(
          worker: "The worker", executable: nil, cause: .end(.signal(signal)), place: nil, lastWords: [],
          family: nil)))
    #expect(run.running.isEmpty)
    #expect(run.ready.map(\.strikes) == (signal == SIGKILL ? [] : [1]))
    #expect(run.killed.map(\.job.key) == (signal == SIGKILL ? [key] : []))
    // A scheduler that kills a task's processes one after another does so within this pause.
    #expect(run.killed.allSatisfy { $0.judgedAt >= KilledStore.pause })
    run.judgeKilled()
    #expect(run.killed.count == (signal == SIGKILL ? 1 : 0))
  }

  @Test("a start that fails after the scratch folder was made removes this folder")
  func failedStart() throws {
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    try fixture.folder.write("in the way", to: "out/.unfinished")
    #expect(throws: ShardError.self) { try fixture.run(fixture.settings()) }
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test("workers that sometimes don't start don't end a run that makes progress")
  func startsNowAndThen() throws {
    let paths = try fixture.copies((1...5).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    // Every second start fails, and each worker ends after one store.
    let script = """
      #!/bin/bash
      echo >> "\(fixture.folder.path("starts"))"
      (($(wc -l < "\(fixture.folder.path("starts"))") % 2)) || exit 1
      exec "\(Repository.program("decant"))" "$@"
      """
    let file = try fixture.folder.write(script, to: "worker.sh").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    var settings = fixture.settings(jobs: 1)
    settings.program = file
    settings.limits.jobs = 1
    #expect(try fixture.run(settings).done == 5)
  }
}
