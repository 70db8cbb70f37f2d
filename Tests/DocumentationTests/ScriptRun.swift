import DecantTestSupport
import Foundation

/// The result of a shell command that was run in the repository.
struct ScriptRun {
  let code: Int32
  /// Standard output and standard error together.
  let output: String

  /// Runs a shell command in the repository.
  ///
  /// In the command, `$built` is the folder of the built programs, and `$place` is the folder `place`.
  init(_ line: String, in place: URL) throws {
    let file = place.appendingPathComponent("output")
    try Data().write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; " + line]
    process.currentDirectoryURL = Repository.root
    var environment = ProcessInfo.processInfo.environment
    environment["DESTDIR"] = nil
    process.environment = environment.merging([
      "built": Repository.programs.path, "place": place.path, "LC_ALL": "C.UTF-8",
      "PATH": "\(Repository.programs.path):\(environment["PATH"] ?? "/usr/bin:/bin")",
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: file)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    code = process.terminationReason == .exit ? process.terminationStatus : -1
    output = try String(contentsOf: file, encoding: .utf8)
  }
}
