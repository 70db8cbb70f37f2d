import DecantTestSupport
import Foundation

/// A shell in which tests run the built executable.
enum BinaryShell {
  /// Runs a shell command.
  ///
  /// `$decant` is the binary and `$d` the folder.
  static func run(
    _ line: String, in folder: TemporaryFolder, _ variables: [String: String] = [:]
  ) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "decant": Repository.program("decant"), "d": folder.url.path,
    ]) { $1 }.merging(variables) { $1 }
    let (output, messages) = (folder.path("stdout"), folder.path("stderr"))
    for file in [output, messages] { try Data().write(to: URL(fileURLWithPath: file)) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: messages)
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : -1,
      try String(contentsOfFile: output, encoding: .utf8), try String(contentsOfFile: messages, encoding: .utf8)
    )
  }
}
