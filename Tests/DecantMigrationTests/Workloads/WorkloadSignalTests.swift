import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// The programs themselves, killed by SIGKILL at random times and run again.
@Suite("Workloads whose programs are killed", .serialized) struct WorkloadSignalTests {
  @Test(
    "“decant” and its worker killed at any moment: the next run has the result of a run without kills",
    arguments: Workload.allCases, [Workload.Way.sets, .policies])
  func killed(workload: Workload, way: Workload.Way) throws {
    let words: Comment = "\(workload) by \(way), DECANT_SEED=\(MatrixSettings.seed)"
    let shop = try WorkloadShop(workload, objects: MatrixSettings.objects)
    let whole = shop.job(way, chunkSize: MatrixSettings.longChunk)
    var dice = Dice(MatrixSettings.seed ^ UInt64(workload.rawValue.utf8.count + way.rawValue.utf8.count))
    let clock = ContinuousClock()
    let begun = clock.now
    #expect(try run(whole, way) == 0, words)
    var length = clock.now - begun
    let expected = try shop.result(of: whole)
    #expect(differences(shop.expected.objects, expected.content) == [], words)

    let job = shop.job(way, chunkSize: MatrixSettings.longChunk)
    var kills = 0
    for _ in 0..<20 where kills < 2 {
      // The time of a run varies on a busy machine. After a kill that came too late, the next kill comes earlier.
      if try run(job, way, killAfter: length * dice.unit()) == SIGKILL { kills += 1 }
      if FileManager.default.fileExists(atPath: job.output.path) {
        length = length / 2
        if kills > 0 { break }
        try FileManager.default.removeItem(at: job.output.deletingLastPathComponent())
      }
    }
    #expect(kills > 0, words)
    if !FileManager.default.fileExists(atPath: job.output.path) { #expect(try run(job, way) == 0, words) }
    let found = try shop.result(of: job)
    #expect(differences(shop.expected.objects, found.content) == [], words)
    #expect(differences(expected.store.tables, found.store.tables) == [], words)
    // `steps` has the time of the claim, which differs.
    #expect(
      differences(expected.associations.without("steps"), found.associations.without("steps")) == [], words)
  }

  /// Runs “decant migrate” to its end, or kills it with its child processes.
  ///
  /// - Returns: The exit code or the signal.
  private func run(_ job: MigrationJob, _ way: Workload.Way, killAfter: Duration? = nil) throws -> Int32 {
    try FileManager.default.createDirectory(
      at: job.output.deletingLastPathComponent(), withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments =
      [
        "migrate", job.source.path, "--output", job.output.path, "--models", job.catalogue.path, "--family",
        job.family ?? "", "--chunk-size", "\(job.chunkSize ?? 1)", "--keep-associations", "--quiet",
      ] + (way == .policies ? ["--worker", Repository.program("bench-worker")] : [])
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    if let killAfter {
      Thread.sleep(forTimeInterval: killAfter / .seconds(1))
      for each in Self.children(of: process.processIdentifier) + [process.processIdentifier] {
        kill(each, SIGKILL)
      }
    }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private static func children(of process: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return tasks.flatMap { task -> [pid_t] in
      let path = "/proc/\(process)/task/\(task)/children"
      return (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").compactMap {
        pid_t($0)
      } ?? []
    }
  }
}
