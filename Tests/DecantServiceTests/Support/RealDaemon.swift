import Foundation
import Glibc

@testable import DecantService

/// The built `decantd` with its own worker, a spool and a catalogue in a temporary folder.
final class RealDaemon {
  let folder: TemporaryFolder
  private let process = Process()

  /// - Parameters:
  ///   - catalogue: A folder to use as the catalogue; `nil` for `catalogue` in the temporary folder.
  ///   - prelude: What a shell does before it becomes the daemon.
  ///   - environment: Further variables.
  ///   - own: The folder to use; `nil` for a new one.
  init(
    catalogue: String? = nil, standardError: FileHandle = .nullDevice, standardInput: FileHandle? = nil,
    prelude: String? = nil, environment: [String: String] = [:], folder own: TemporaryFolder? = nil,
    prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    folder = try own ?? TemporaryFolder()
    for name in ["incoming", "work", "done", "failed"] { try folder.makeFolder("spool/\(name)") }
    try prepare(folder)
    try folder.write(
      """
      { spool: 'spool', catalogue: '\(catalogue ?? "catalogue")', socket: 'h.sock', progressLog: 'p.log',
        workers: 2, settleSeconds: 0, scanSeconds: 0.1, minimumFreeBytes: 0, retrySeconds: 0.05 }
      """, to: "d.json5")
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("decantd")
    process.executableURL = program
    process.arguments = ["--config", folder.path("d.json5")]
    if let prelude {
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", "\(prelude); exec \"$0\" \"$@\"", program.path] + (process.arguments ?? [])
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let standardInput { process.standardInput = standardInput }
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
  var processIdentifier: Int32 { process.processIdentifier }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Lets the daemon read its configuration again.
  func reload() { signal(SIGHUP) }

  /// Ends the daemon with SIGTERM and returns its exit code.
  func stop() -> Int32 {
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
