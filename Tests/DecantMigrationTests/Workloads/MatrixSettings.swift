import DecantTestSupport
import Foundation

/// How much the tests of this target do.
///
/// `DECANT_MATRIX=whole` runs every cell over all objects and kills at every commit, which takes hours; `DECANT_WORKLOADS`
/// names those that are wanted, so that several processes can share them; `DECANT_SEED` is what chance begins with.
enum MatrixSettings {
  private static let environment = ProcessInfo.processInfo.environment
  static let isWhole = environment["DECANT_MATRIX"] == "whole"
  private static let workloads = environment["DECANT_WORKLOADS"]?.split(separator: ",").map(String.init)
  static let seed = environment["DECANT_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<(1 << 40))
  static let objects = isWhole ? 20_000 : 5_000
  /// The rows of a long chunk: twenty chunks have all objects.
  static let longChunk = objects / 20
  /// As many objects as chunks of a few rows have by default.
  static let fewObjects = isWhole ? objects : 1_000

  /// The workload that has all objects in short chunks too.
  static let drawn = Workload.allCases[Int(seed % UInt64(Workload.allCases.count))]

  static func includes(_ workload: Workload) -> Bool { workloads?.contains(workload.rawValue) ?? true }

  /// Whether a way is killed after every commit whatever the size of its chunks.
  ///
  /// Expressions row by row share the reading, writing and associations of policies, and are killed after a sample.
  static func killsAlways(_ way: Workload.Way) -> Bool { isWhole && way != .rows }

  /// A folder in memory where there is one: thousands of commits wait for no disk, and a killed process leaves the same.
  static func folder() throws -> TemporaryFolder {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    if FileManager.default.isWritableFile(atPath: memory.path),
      let folder = try? TemporaryFolder("decant-workload", in: memory)
    {
      return folder
    }
    return try TemporaryFolder("decant-workload")
  }
}
