import DecantTestSupport
import Foundation

/// Programs of the machine that some tests use.
enum Tool {
  /// The path of a program; `nil` if the program isn't installed.
  static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/sbin"]).map { $0 + "/" + name }
      .first(where: FileManager.default.isExecutableFile)
  }

  /// Runs a program to its end.
  ///
  /// - Returns: Its exit code, and its output and messages together.
  static func run(
    _ path: String, _ arguments: [String], input: String = ""
  ) throws -> (code: Int32, output: String) {
    let folder = try TemporaryFolder.short()
    try folder.write(input, to: "in")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("in")))
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// Runs a program in the folder `/`.
  ///
  /// The first element of `command` is its path. Returns output and messages separately.
  static func separate(_ command: [String]) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    let (output, messages) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, messages)
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: words, as: UTF8.self)
    )
  }
}
