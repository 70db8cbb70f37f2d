import DecantTestSupport
import Foundation

/// The amount of work of the tests in this target.
///
/// `DECANT_MATRIX=whole` runs each workload over 20,000 objects, in every way and with every chunk size. It kills most
/// runs after every commit, and takes hours.
/// `DECANT_WORKLOADS` selects workloads, so that several processes can share them. `DECANT_SEED` is the random seed.
enum MatrixSettings {
  private static let environment = ProcessInfo.processInfo.environment
  static let isWhole = environment["DECANT_MATRIX"] == "whole"
  private static let workloads = environment["DECANT_WORKLOADS"]?.split(separator: ",").map(String.init)
  static let seed = environment["DECANT_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<(1 << 40))
  static let objects = isWhole ? 20_000 : 2_500
  /// The number of rows in a long chunk: a twentieth of all objects.
  static let longChunk = objects / 20
  /// The number of objects for short chunks, except for the workload `drawn`.
  static let fewObjects = isWhole ? objects : 600

  /// The workload that runs all objects in short chunks, too.
  ///
  /// The seed chooses it.
  static let drawn = Workload.allCases[Int(seed % UInt64(Workload.allCases.count))]

  static func includes(_ workload: Workload) -> Bool { workloads?.contains(workload.rawValue) ?? true }

  /// Whether runs of a way are killed after every commit, also with short chunks.
  ///
  /// Runs of `rows` are killed after a sample of commits only. They read, write and associate rows by the same code as
  /// `policies`.
  static func killsAlways(_ way: Workload.Way) -> Bool { isWhole && way != .rows }

  /// A folder in memory if possible, so that thousands of commits don't wait for a disk.
  ///
  /// A killed process leaves the same files in memory as on a disk.
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
