internal import DecantConsole
internal import DecantModel
internal import DecantReport
internal import Foundation

/// The paths of a daemon's spool, socket and catalogue.
struct DaemonPlace: Sendable, Hashable {
  var spool = "/var/spool/decant"
  var socket = "/run/decant/health.sock"
  var catalogue = "/etc/decant/models"

  init() {}

  /// - Parameter file: The configuration; `nil` for the default one, if it can be read.
  init(configuration file: String?) throws(CommandFailure) {
    if let file {
      try read(file)
    } else if access(SettingsFiles.daemonFile, R_OK) == 0 {
      try read(SettingsFiles.daemonFile)
    }
  }

  /// The paths that `--config`, `--socket` and `--spool` select.
  init(_ arguments: Arguments) throws(CommandFailure) {
    // With `--socket` alone, the default configuration isn't read, so that a fault in it doesn't matter.
    if arguments.value("config") != nil || arguments.value("socket") == nil {
      do throws(CommandFailure) {
        try self.init(configuration: arguments.value("config"))
      } catch {
        throw CommandFailure(
          error.reason, error.message, exitCode: error.exitCode, details: error.details,
          advice: [error.advice, Self.otherWays(arguments)].filter { !$0.isEmpty }.joined(separator: " "),
          coreDataCode: error.coreDataCode)
      }
    } else {
      self.init()
    }
    if let path = arguments.value("socket") { socket = path }
    if let path = arguments.value("spool") { spool = path }
  }

  /// With `--socket` alone, the daemon is asked for its spool.
  func spool(_ arguments: Arguments, asking client: HealthClient) throws(CommandFailure) -> String {
    guard arguments.value("spool") == nil, arguments.value("config") == nil, arguments.value("socket") != nil
    else { return spool }
    return try client.status().values.spool ?? spool
  }

  private static func otherWays(_ arguments: Arguments) -> String {
    let ways = [("socket", "the daemon's socket"), ("spool", "the daemon's spool")]
      .filter { arguments.knows($0.0) }.map { "--\($0.0) names \($0.1)" }
    return ways.isEmpty ? "" : "Without the configuration, \(ways.joined(separator: ", and "))."
  }

  /// Reads the three paths from a configuration; the daemon itself checks all other settings.
  private mutating func read(_ file: String) throws(CommandFailure) {
    let files: SettingsFiles
    do throws(SettingsFiles.Failure) {
      files = try SettingsFiles(
        file: file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file)
    } catch {
      switch error {
      case .missing: throw CommandFailure(.noSuchFile, "There is no configuration file “\(file)”.")
      case .unreadable(let path, .system(let code)):
        throw CommandFailure(errno: code, path, "read", isInput: true)
      case .unreadable(let path, let problem):
        throw CommandFailure(
          .badData, "\(path) can't be read: \(problem).", exitCode: ExitCode.configuration)
      case .syntax(let path, let reason):
        throw CommandFailure(.badData, "\(path) isn't JSON5: \(reason)", exitCode: ExitCode.configuration)
      }
    }
    if let path = try Self.path("spool", in: files) { spool = path }
    if let path = try Self.path("socket", in: files) { socket = path }
    if let path = try Self.path("catalogue", in: files) { catalogue = path }
  }

  private static func path(_ key: String, in files: SettingsFiles) throws(CommandFailure) -> String? {
    guard let setting = files.settings[key] else { return nil }
    guard case .string(let path) = setting.value, !path.isEmpty, !path.contains("\0") else {
      throw CommandFailure(
        .badData, "\(setting.file): “\(key)” is \(setting.value.words), but has to be a path in quotes.",
        exitCode: ExitCode.configuration)
    }
    return path.hasPrefix("/") ? path : files.base + "/" + path
  }
}

extension Command.Option {
  static let socket = Self(
    "socket", "PATH", kind: .file,
    help: "The daemon's socket; default: that of its configuration, or /run/decant/health.sock.")
  static let spool = Self(
    "spool", "DIR", kind: .folder, help: "The daemon's spool; default: that of its configuration.")
  /// `--spool` of a command that also has `--socket`.
  static let askedSpool = Self(
    "spool", "DIR", kind: .folder,
    help:
      "The daemon's spool; default: that of its configuration; with --socket, the one that the daemon names.")
  static let configuration = Self(
    "config", "FILE", kind: .file,
    help:
      "The daemon's configuration, which names its socket and spool; default: \(SettingsFiles.daemonFile) if "
      + "it can be read.")
}
