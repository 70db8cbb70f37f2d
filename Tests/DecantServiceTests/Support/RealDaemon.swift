import Foundation
import Glibc

@testable import DecantService

/// The built `decantd` with its own worker, a spool and a catalogue in a temporary folder.
final class RealDaemon {
  let folder: TemporaryFolder
  private let process = Process()

  /// - Parameter catalogue: A folder to use as the catalogue; `nil` for `catalogue` in the temporary folder.
  init(
    catalogue: String? = nil, standardError: FileHandle = .nullDevice,
    prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    for name in ["incoming", "work", "done", "failed"] { try folder.makeFolder("spool/\(name)") }
    try prepare(folder)
    try folder.write(
      """
      { spool: 'spool', catalogue: '\(catalogue ?? "catalogue")', socket: 'h.sock', progressLog: 'p.log',
        settleSeconds: 0, scanSeconds: 0.1, minimumFreeBytes: 0, retrySeconds: 0.05 }
      """, to: "d.json5")
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("decantd")
    process.arguments = ["--config", folder.path("d.json5")]
    process.standardError = standardError
    try process.run()
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Moves prepared files into the spool at once.
  func drop(_ name: String, as drop: String) throws { try folder.rename(name, to: "spool/incoming/\(drop)") }

  /// Waits until a condition is true, at most two minutes.
  func eventually(_ holds: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(120)
    while Date() < end {
      if holds() { return true }
      usleep(50_000)
    }
    return false
  }

  var isThrough: Bool {
    (try? folder.names("spool/incoming").isEmpty) == true && (try? folder.names("spool/work")) == [".arrival"]
  }

  var isRunning: Bool { process.isRunning }

  /// Ends the daemon with SIGTERM and returns its exit code.
  func stop() -> Int32 {
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
