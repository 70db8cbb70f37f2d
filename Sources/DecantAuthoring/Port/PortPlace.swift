internal import DecantConsole
internal import Foundation
internal import SwiftPorting

/// The folder that `decant port` writes to.
struct PortPlace {
  /// The folder's path, as the user named it.
  let path: String
  /// The same folder without links and “..”.
  private let real: String

  init(_ path: String, source: String) throws(CommandFailure) {
    self.path = path
    let (existing, missing) = try Self.resolve(path)
    real = ([existing == "/" ? "" : existing] + missing).joined(separator: "/")
    let own = Self.identities(above: existing)
    let app = Self.identities(above: try Self.resolve(source).existing)
    guard let folder = app.first, !own.contains(folder), Self.identity(path).map({ !app.contains($0) }) ?? true
    else {
      throw CommandFailure(
        .usage, "The output \(path) and the app's folder \(source) are one folder, or one is within the other.",
        advice: "Name a folder elsewhere: the app's files are never changed.")
    }
  }

  /// Checks all paths before it writes the first file.
  func write(_ files: [PortedFile], overwrites: Bool) throws(CommandFailure) {
    var there: [String] = []
    for file in files {
      try checkFolders(of: file.path)
      var status = stat()
      guard lstat("\(real)/\(file.path)", &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw CommandFailure(.cantCreate, "\(path)/\(file.path) is there already, and isn't a regular file.")
      }
      there.append("\(path)/\(file.path)")
    }
    if !overwrites, let first = there.first {
      throw CommandFailure(
        .cantCreate, "\(first) exists already" + (there.count > 1 ? ", and \(there.count - 1) more." : "."),
        advice: "--force replaces existing files.")
    }
    for file in files { try write(file) }
  }

  private func write(_ file: PortedFile) throws(CommandFailure) {
    try makeFolders(above: file.path)
    let target = URL(fileURLWithPath: "\(real)/\(file.path)")
    do {
      try Data(file.bytes).write(to: target, options: .atomic)
    } catch {
      if access(target.deletingLastPathComponent().path, W_OK | X_OK) != 0 {
        throw CommandFailure(errno: errno, "\(path)/\(file.path)", "written")
      }
      throw CommandFailure(
        .cantCreate, "\(path)/\(file.path) can't be written: \(error.localizedDescription)")
    }
  }

  private func makeFolders(above file: String) throws(CommandFailure) {
    var folder = ""
    for name in "\(real)/\(file)".split(separator: "/").dropLast() {
      folder += "/\(name)"
      guard Self.identity(folder) != nil || mkdir(folder, 0o777) == 0 else {
        throw CommandFailure(errno: errno, folder, "created")
      }
    }
  }

  /// Refuses links below the output, which could lead to the app's own files.
  private func checkFolders(of file: String) throws(CommandFailure) {
    var folder = real
    for name in file.split(separator: "/").dropLast() {
      folder += "/\(name)"
      var status = stat()
      guard lstat(folder, &status) == 0 else { return }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw CommandFailure(.cantCreate, "\(folder) is there already, and isn't a folder.")
      }
    }
  }

  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// The longest part of a path that exists, without links, and the names after it.
  ///
  /// Names are only cut off the end of the given path. So the kernel resolves links and “..” in the right order.
  private static func resolve(_ path: String) throws(CommandFailure) -> (existing: String, missing: [String]) {
    let names = path.split(separator: "/").map(String.init)
    for count in stride(from: names.count, through: 0, by: -1) {
      let start = names.prefix(count).joined(separator: "/")
      let part = path.hasPrefix("/") ? "/" + start : start.isEmpty ? "." : start
      if let real = realpath(part, nil) {
        defer { free(real) }
        return (String(cString: real), names.suffix(from: count).filter { $0 != "." })
      }
      guard errno == ENOENT else { throw CommandFailure(errno: errno, part, "used as a folder") }
      var status = stat()
      guard lstat(part, &status) != 0 else {
        throw CommandFailure(
          .usage, "\(part) is a link that leads to nothing.",
          advice: "Name the folder itself, or create it first.")
      }
      guard count > 0, names[count - 1] != ".." else {
        throw CommandFailure(
          .usage, "\(path) has “..” after a folder that doesn't exist.",
          advice: "Name the folder without “..”.")
      }
    }
    throw CommandFailure(.noSuchFile, "The folder \(path) doesn't exist.")
  }

  /// The identities (device and inode) of an existing folder and of all folders above it, the nearest first.
  private static func identities(above existing: String) -> [[UInt64]] {
    var found: [[UInt64]] = []
    var here = existing
    while true {
      if let identity = identity(here) { found.append(identity) }
      guard here != "/" else { return found }
      here = (here as NSString).deletingLastPathComponent
    }
  }
}
