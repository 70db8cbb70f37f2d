internal import CLinux
internal import DecantCatalogue
internal import DecantSpool
internal import FileNames
internal import Foundation
internal import Glibc

/// Finds settings with which the daemon couldn't work if this user ran it; creates no file.
struct SettingsCheck {
  let configuration: ServiceConfiguration
  /// Whether the daemon hasn't started yet; its start creates some folders.
  var isBeforeStart = true

  typealias Finding = (key: String, words: String)

  var findings: [Finding] { named([("spool", spool), ("socket", socket)]) + changeable }

  /// The findings about the settings that a reload can change.
  var changeable: [Finding] {
    named([
      ("catalogue", catalogue), ("progressLog", progressLog),
      ("worker", configuration.worker.flatMap(Self.unrunnable)),
      ("onDone", configuration.onDone?.first.flatMap(Self.unrunnable)),
      ("onFailed", configuration.onFailed?.first.flatMap(Self.unrunnable)),
    ])
  }

  private func named(_ settings: [(key: String, words: String?)]) -> [Finding] {
    settings.compactMap { setting in setting.words.map { (setting.key, $0) } }
  }

  func sentence(_ finding: Finding) -> String {
    let file = configuration.origins[finding.key] ?? configuration.file ?? ServiceConfiguration.defaultFile
    return "\(file), “\(finding.key)”: \(finding.words)"
  }

  // MARK: The spool

  private var spool: String? {
    let path = configuration.spool
    guard let place = Self.nearest(path) else { return "\(FileFailure("examine", path))" }
    guard place.status.st_mode & S_IFMT == S_IFDIR else {
      return "\(FileFailure("use the spool", path, ENOTDIR))"
    }
    if let problem = Self.unwritable(place.path) {
      return "\(FileFailure("make files in", place.path, problem))"
    }
    guard place.path == path else { return nil }
    for name in ["incoming", "work", "done", "failed"] {
      let folder = path + "/" + name
      var status = stat()
      guard stat(folder, &status) == 0 else {
        if errno == ENOENT { continue }
        return "\(FileFailure("examine", folder))"
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        return "\(FileFailure("use the folder", folder, ENOTDIR))"
      }
      if let problem = Self.unwritable(folder) { return "\(FileFailure("make files in", folder, problem))" }
      // A folder of the spool may be a mount of its own, or a link.
      if status.st_dev != place.status.st_dev {
        return SpoolError.severalFileSystems(spool: path, folder: folder).description
      }
    }
    return nil
  }

  // MARK: The socket and the log

  /// The folders that the shipped unit makes when it starts the daemon.
  private static let madeByUnit = ["/run/decant", "/var/log/decant"]

  private var socket: String? {
    if let obstacle = HealthSocket.obstacle(at: configuration.socket) { return obstacle.description }
    return closedFolder(of: configuration.socket, "make the socket")
  }

  private var progressLog: String? {
    let path = configuration.progressLog
    var status = stat()
    guard stat(path, &status) == 0 else { return closedFolder(of: path, "make the log") }
    if status.st_mode & S_IFMT == S_IFDIR { return "\(FileFailure("write", path, EISDIR))" }
    return access(path, W_OK) == 0 ? nil : "\(FileFailure("write", path))"
  }

  /// Why no file can be created in the folder of a path.
  private func closedFolder(of path: String, _ operation: String) -> String? {
    let folder = (path as NSString).deletingLastPathComponent
    // The daemon or the unit creates this folder first.
    if isBeforeStart, folder == configuration.spool || Self.madeByUnit.contains(folder),
      access(folder, F_OK) != 0
    {
      return nil
    }
    return Self.unwritable(folder).map { "\(FileFailure(operation, path, $0))" }
  }

  // MARK: Files

  private var catalogue: String? {
    let path = configuration.catalogue
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 { close(folder) }
    if folder >= 0, faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 { return nil }
    // A failing disk isn't a problem of the setting.
    let failure = FileFailure("read", path)
    guard !failure.isPassing else { return nil }
    return "\(failure.isMissing ? CatalogueError.notFound(path: path) : .unreadable(path: path))"
  }

  /// The path, or the nearest folder above it that exists; `nil` if it can't be examined.
  private static func nearest(_ path: String) -> (path: String, status: stat)? {
    var (path, status) = (path, stat())
    while stat(path, &status) != 0 {
      guard errno == ENOENT, path != "/", !path.isEmpty else { return nil }
      path = (path as NSString).deletingLastPathComponent
    }
    return (path, status)
  }

  /// File systems of the kernel, such as `/proc`; no user can create files there, even if the modes allow it.
  private static let kernelFiles: Set<Int> = [
    0x9FA0, 0x6265_6572, 0x6367_7270, 0x27_E0EB, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0x1CD1,
  ]

  /// Why a folder can't take a new file, as an errno; `nil` if its kind and its rights allow one.
  private static func unwritable(_ folder: String) -> Int32? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      defer { close(descriptor) }
      if kernelFiles.contains(decant_file_system_kind(descriptor)) { return EPERM }
    } else if errno == ENOENT || errno == ENOTDIR {
      return errno
    }
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 ? nil : errno
  }

  private static func unrunnable(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\(FileFailure("run", path))" }
    guard status.st_mode & S_IFMT == S_IFREG, faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 else {
      return "\(FileFailure("run", path, EACCES))"
    }
    return nil
  }
}
