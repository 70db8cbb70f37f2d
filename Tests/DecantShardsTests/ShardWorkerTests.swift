import DecantTestSupport
import Foundation
import Testing

@testable import DecantShards

@Suite("Workers of a shard that don't start") struct ShardWorkerTests {
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

  @Test("a run that a fault ends leaves no copies in the scratch folder", arguments: ["worker", "family"])
  func faults(kind: String) throws {
    let paths = try fixture.copies((1...5).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    var settings = fixture.settings()
    if kind == "worker" { settings.program = "/bin/false" } else { settings.family = "Nots" }
    let wanted = settings
    #expect(throws: ShardError.self) { try fixture.run(wanted) }
    #expect(try fixture.leftovers().isEmpty)
  }

  @Test("workers that don't start now and then don't end a run that goes on")
  func startsNowAndThen() throws {
    let paths = try fixture.copies((1...5).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    // Each second start fails, and a worker lives for one store.
    let script = """
      #!/bin/bash
      echo >> "\(fixture.folder.path("starts"))"
      (($(wc -l < "\(fixture.folder.path("starts"))") % 2)) || exit 1
      exec "\(ShardFixture.decant)" "$@"
      """
    let file = try fixture.folder.write(script, to: "worker.sh").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    var settings = fixture.settings(jobs: 1)
    settings.program = file
    settings.limits.jobs = 1
    #expect(try fixture.run(settings).done == 5)
  }
}
