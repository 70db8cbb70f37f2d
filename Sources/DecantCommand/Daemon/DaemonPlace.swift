internal import DecantModel
internal import DecantReport
internal import Foundation

/// Where a daemon's spool, socket and catalogue are, as its configuration says.
struct DaemonPlace: Sendable, Hashable {
  /// The file that is read without `--config`, if it can be.
  static let defaultFile = "/etc/decant/decantd.json5"
  private static let sizeLimit = 1 << 20

  var spool = "/var/spool/decant"
  var socket = "/run/decant/health.sock"
  var catalogue = "/etc/decant/models"

  init() {}

  /// - Parameter file: The configuration; `nil` for the default one.
  init(configuration file: String?) throws(CommandFailure) {
    if let file {
      try read(file)
    } else if access(Self.defaultFile, R_OK) == 0 {
      try read(Self.defaultFile)
    }
  }

  /// The place that `--config`, `--socket` and `--spool` name.
  init(_ arguments: Arguments) throws(CommandFailure) {
    // With a socket of its own, a fault in the default configuration doesn't matter.
    if arguments.value("config") != nil || arguments.value("socket") == nil {
      try self.init(configuration: arguments.value("config"))
    } else {
      self.init()
    }
    if let path = arguments.value("socket") { socket = path }
    if let path = arguments.value("spool") { spool = path }
  }

  /// Reads a configuration's text.
  ///
  /// The daemon itself checks all other settings.
  mutating func take(_ data: Data, file: String) throws(CommandFailure) {
    let values: [String: JSON5Value]
    do throws(JSON5Problem) {
      guard let object = try JSON5Value.parse(data).object else {
        throw JSON5Problem("it has to be one object { … }")
      }
      values = object
    } catch {
      throw CommandFailure(
        .badData, "\(file) isn't JSON5: \(error.description)", exitCode: ExitCode.configuration)
    }
    if let path = try Self.path(values["spool"], "spool", file) { spool = path }
    if let path = try Self.path(values["socket"], "socket", file) { socket = path }
    if let path = try Self.path(values["catalogue"], "catalogue", file) { catalogue = path }
  }

  private mutating func read(_ file: String) throws(CommandFailure) {
    guard let handle = FileHandle(forReadingAtPath: file) else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR
        ? CommandFailure(.noSuchFile, "There is no configuration file “\(file)”.")
        : CommandFailure(errno: code, file, "read")
    }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: Self.sizeLimit) ?? Data() else {
      throw CommandFailure(.badData, "\(file) can't be read.", exitCode: ExitCode.configuration)
    }
    let absolute =
      file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
    try take(data, file: absolute)
  }

  private static func path(_ value: JSON5Value?, _ key: String, _ file: String) throws(CommandFailure)
    -> String?
  {
    guard let value else { return nil }
    guard case .string(let path) = value, !path.isEmpty, !path.contains("\0") else {
      throw CommandFailure(
        .badData, "\(file): “\(key)” is \(value.words), but has to be a path in quotes.",
        exitCode: ExitCode.configuration)
    }
    return path.hasPrefix("/") ? path : (file as NSString).deletingLastPathComponent + "/" + path
  }
}

extension Command.Option {
  static let socket = Self(
    "socket", "PATH", kind: .file,
    help: "The daemon's socket; default: that of its configuration, or /run/decant/health.sock.")
  static let spool = Self(
    "spool", "DIR", kind: .folder, help: "The daemon's spool; default: that of its configuration.")
  static let configuration = Self(
    "config", "FILE", kind: .file,
    help:
      "The daemon's configuration, which names its socket and spool; default: \(DaemonPlace.defaultFile) if "
      + "it can be read.")
}
