import DecantTestSupport
import Foundation

/// The amount of work of the tests in this target.
///
/// `DECANT_MATRIX=whole` runs every cell over all objects and kills at every commit, which takes hours.
/// `DECANT_WORKLOADS` selects workloads, so that several processes can share them. `DECANT_SEED` is the random seed.
enum MatrixSettings {
  private static let environment = ProcessInfo.processInfo.environment
  static let isWhole = environment["DECANT_MATRIX"] == "whole"
  private static let workloads = environment["DECANT_WORKLOADS"]?.split(separator: ",").map(String.init)
  static let seed = environment["DECANT_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<(1 << 40))
  static let objects = isWhole ? 20_000 : 2_500
  /// The rows of a long chunk: all objects are twenty chunks.
  static let longChunk = objects / 20
  /// The number of objects for chunks of a few rows, by default.
  static let fewObjects = isWhole ? objects : 600

  /// The workload that runs all objects in short chunks, too.
  static let drawn = Workload.allCases[Int(seed % UInt64(Workload.allCases.count))]

  static func includes(_ workload: Workload) -> Bool { workloads?.contains(workload.rawValue) ?? true }

  /// Whether a way is killed after every commit, whatever the size of its chunks.
  ///
  /// Expressions row by row share the reading, writing and associations of policies, and are killed after a sample.
  static func killsAlways(_ way: Workload.Way) -> Bool { isWhole && way != .rows }

  /// A folder in memory if possible: thousands of commits don't wait for a disk, and a killed process leaves the same
  /// files.
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
