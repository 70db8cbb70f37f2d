internal import DecantConsole
internal import Foundation

/// The place of Decant's libraries or code, against which a new worker is built.
enum DecantPlace: Hashable {
  /// The folder of the libraries that `scripts/install --libraries` has installed. Only the worker is built, which is
  /// fast.
  case libraries(String)
  /// A checkout of Decant, which is built with the worker.
  case checkout(String)

  /// The path of the libraries below a prefix.
  static let libraries = "lib/decant/swift"

  /// - Parameters:
  ///   - given: The path of `--decant`: a checkout, a prefix, or the folder of the libraries.
  ///   - program: The path of this program, which may be installed beside the libraries.
  static func find(given: String?, program: String) throws(CommandFailure) -> DecantPlace {
    if let given {
      try InputFile.checkFolder(given, what: "folder of Decant")
      guard let place = at(given) else {
        throw CommandFailure(
          .noSuchFile, "\(given) is neither a checkout of Decant nor a prefix with its libraries.",
          advice: "A checkout has the folder Sources/CoreData, and a prefix has \(libraries).")
      }
      return place
    }
    let prefix = URL(fileURLWithPath: program).deletingLastPathComponent().deletingLastPathComponent().path
    for candidate in [prefix, "/usr/local", "/usr"] {
      if case .libraries(let path)? = at(candidate) { return .libraries(path) }
    }
    let checkout = enclosingCheckout(of: program)
    throw CommandFailure(
      .noSuchFile, "The libraries that a worker is built against aren't installed (\(prefix)/\(libraries)).",
      advice: "Install them with “scripts/install --libraries” of Decant, or name a checkout: --decant "
        + (checkout ?? "PATH") + ".")
  }

  private static func at(_ path: String) -> DecantPlace? {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.path
    func has(_ name: String) -> Bool { access("\(folder)/\(name)", R_OK) == 0 }
    if has("Package.swift"), has("Sources/CoreData"), has("Sources/DecantWorker") { return .checkout(folder) }
    if has("\(libraries)/modules/CoreData.swiftmodule") { return .libraries("\(folder)/\(libraries)") }
    return has("modules/CoreData.swiftmodule") ? .libraries(folder) : nil
  }

  private static func enclosingCheckout(of program: String) -> String? {
    guard let build = program.range(of: "/.build/") else { return nil }
    let folder = String(program[..<build.lowerBound])
    guard case .checkout(let path)? = at(folder) else { return nil }
    return path
  }

  static var ownProgram: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
  }

  /// Only the version of Swift that built the libraries' modules can read them.
  func compilerWarning(compiler: SwiftCompiler) -> String? {
    guard case .libraries(let path) = self else { return nil }
    guard
      let built = try? String(contentsOfFile: "\(path)/compiler", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    else { return "\(path)/compiler can't be read, so it isn't known which Swift the libraries are for." }
    switch compiler {
    case .version(let version) where version == built: return nil
    case .version(let version):
      return
        "The libraries in \(path) are for “\(built)”, and swiftc is “\(version)”, which can't read them. Use the "
        + "version of Swift that the libraries are for, or build and install Decant again with this swiftc."
    case .missing:
      return "There is no swiftc in PATH. To build the worker, install “\(built)”."
    }
  }
}

enum SwiftCompiler: Hashable {
  /// `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
  case version(String)
  case missing

  static func inPath() -> SwiftCompiler {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "--version"]
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return .missing }
    let output = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    let text = String(decoding: output ?? Data(), as: UTF8.self)
    guard process.terminationStatus == 0, let line = text.split(separator: "\n").first,
      let start = line.range(of: "Swift version ")
    else { return .missing }
    return .version(line[start.lowerBound...].trimmingCharacters(in: .whitespaces))
  }
}
