import DecantTestSupport
import Foundation
import Testing

/// Scratch folders with too little room.
extension ShardCommandTests {
  /// Runs the shard with a scratch folder of that size.
  private func runInRoom(kilobytes: Int, jobs: Int) throws -> (code: Int32, output: String, messages: String) {
    try shell(
      "mkdir -p $d/s; unshare -m bash -c "
        + "'mount -t tmpfs -o size=\(kilobytes)k none $d/s; ${run/--scratch */--scratch $d/s} --jobs \(jobs) --json'"
    )
  }

  @Test(
    "a store that is too large for the scratch folder doesn't keep the others from being migrated",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func tooLarge() throws {
    try fixture.store("large.sqlite", notes: 60_000)
    for name in ["a.sqlite", "b.sqlite"] { try fixture.store(name) }
    _ = try manifest(["large.sqlite", "a.sqlite", "b.sqlite"])
    let run = try runInRoom(kilobytes: 4096, jobs: 1)
    #expect(run.code == 75, "\(run)")
    #expect(run.output.contains("\"done\": 2") && run.output.contains("\"no-room\": 1"), "\(run)")
    #expect(!run.output.contains("Ended early"), "\(run)")
  }

  @Test(
    "if the stores have no room at the same time, they are migrated one after the other",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func crowded() throws {
    let names = (1...6).map { "s\($0).sqlite" }
    for name in names { try fixture.store(name, notes: 4000) }
    _ = try manifest(names)
    let run = try runInRoom(kilobytes: 3000, jobs: 4)
    #expect(run.code == 0 && run.output.contains("\"done\": 6"), "\(run)")
  }

  @Test(
    "a scratch folder without room for any store ends the run early",
    .enabled(if: mayMount, "Skipped: this user may not mount."))
  func noRoom() throws {
    let names = (1...9).map { "s\($0).sqlite" }
    for name in names { try fixture.store(name) }
    _ = try manifest(names)
    let run = try runInRoom(kilobytes: 20, jobs: 1)
    #expect(run.code == 75 && run.output.contains("\"no-room\": 1"), "\(run)")
    #expect(run.output.contains("Free space, then run the shard again."), "\(run)")
  }
}
