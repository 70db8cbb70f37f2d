import DecantTestSupport
import Foundation
import Glibc

@testable import DecantService
@testable import DecantSpool

/// The built `decantd` with its own worker, a spool and a catalogue in a temporary folder.
final class RealDaemon {
  let folder: TemporaryFolder
  private let process = Process()

  /// - Parameters:
  ///   - catalogue: A folder to use as the catalogue; `nil` for `catalogue` in the temporary folder.
  ///   - user: The user who owns the folder and runs the daemon; `nil` for the user of this process.
  ///   - prelude: Shell commands that run before the daemon starts in the same process.
  ///   - environment: Further environment variables.
  ///   - own: The folder to use; `nil` for a new one.
  ///   - prepare: A closure that is called before the daemon starts.
  init(
    catalogue: String? = nil, standardError: FileHandle = .nullDevice, standardInput: FileHandle? = nil,
    as user: Person? = nil, prelude: String? = nil, environment: [String: String] = [:],
    folder own: TemporaryFolder? = nil, prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    folder = try own ?? TemporaryFolder.short()
    try user?.own(folder.path)
    for name in ["incoming", "work", "done", "failed"] { try folder.makeFolder("spool/\(name)") }
    if let user { try Self.share(folder.path("spool"), by: user) }
    try prepare(folder)
    try folder.write(
      """
      { spool: 'spool', catalogue: '\(catalogue ?? "catalogue")', socket: 'h.sock', progressLog: 'p.log',
        workers: 2, settleSeconds: 0, scanSeconds: 0.1, minimumFreeBytes: 0, retrySeconds: 0.05 }
      """, to: "d.json5")
    var words = [Repository.program("decantd"), "--config", folder.path("d.json5")]
    if let prelude { words = ["/bin/bash", "-c", "\(prelude); exec \"$0\" \"$@\""] + words }
    let command = user?.command(words) ?? words
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let standardInput { process.standardInput = standardInput }
    process.standardError = standardError
    try process.run()
  }

  /// Gives the spool the owners and modes of an installed package.
  private static func share(_ spool: String, by user: Person) throws {
    try user.own(spool)
    chmod(spool, 0o751)
    for (name, mode) in [("incoming", 0o3770), ("work", 0o750), ("done", 0o750), ("failed", 0o750)]
      as [(String, mode_t)]
    {
      if name != "work" { chown("\(spool)/\(name)", user.rawValue, Person.droppers) }
      chmod("\(spool)/\(name)", mode)
    }
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Moves a prepared file or folder into `incoming/` by a rename.
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
