internal import Foundation

/// Checks the types in Swift files against the built modules of the package, without generating code.
public enum SwiftTypeCheck {
  /// The folder of the built modules.
  private static let modules = Repository.programs.appendingPathComponent("Modules")

  private static let compiler: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(
    separator: ":"
  )
  .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether there is a compiler and a folder with modules; tests that need them are skipped otherwise.
  public static var isPossible: Bool {
    compiler != nil
      && FileManager.default.fileExists(atPath: modules.appendingPathComponent("CoreData.swiftmodule").path)
  }
  /// The text for a skipped test.
  public static let reason =
    "there is no swiftc in PATH, or no folder of built modules beside the test's program"

  /// The compiler's exit code and messages.
  public static func run(_ files: [String], language: String = "5") throws -> (code: Int32, messages: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler ?? "/usr/bin/swiftc")
    let sources = Repository.root.appendingPathComponent("Sources")
    let maps = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .map { sources.appendingPathComponent("\($0)/module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    process.arguments =
      [
        "-typecheck", "-swift-version", language, "-diagnostic-style", "llvm", "-module-name", "Worker", "-I",
        modules.path,
      ]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + files
    process.standardInput = FileHandle.nullDevice
    let messages = Pipe()
    process.standardOutput = messages
    process.standardError = messages
    try process.run()
    let text = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
