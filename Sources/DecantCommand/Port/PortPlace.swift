internal import Foundation
internal import SwiftPorting

/// The folder that `decant port` writes to.
struct PortPlace {
  /// As the user named it.
  let path: String

  /// - Throws: `.usage` if the folder is the app's, or one of them is within the other.
  init(_ path: String, source: String) throws(CommandFailure) {
    self.path = path
    let (own, app) = (Self.identities(above: path), Self.identities(above: source))
    guard let folder = app.first, !own.contains(folder), Self.identity(path).map({ !app.contains($0) }) ?? true
    else {
      throw CommandFailure(
        .usage, "The output \(path) and the app's folder \(source) are one folder, or one is within the other.",
        advice: "Name a folder elsewhere: the app's files are never changed.")
    }
  }

  /// Writes all files, or none if one can't be written because of what is there.
  func write(_ files: [PortedFile], overwrites: Bool) throws(CommandFailure) {
    var there: [String] = []
    for file in files {
      try checkFolders(of: file.path)
      var status = stat()
      guard lstat("\(path)/\(file.path)", &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw CommandFailure(.cantCreate, "\(path)/\(file.path) is there already, and isn't a regular file.")
      }
      there.append("\(path)/\(file.path)")
    }
    if !overwrites, let first = there.first {
      throw CommandFailure(
        .cantCreate, "\(first) exists already" + (there.count > 1 ? ", and \(there.count - 1) more." : "."),
        advice: "--force replaces it.")
    }
    for file in files { try write(file) }
  }

  private func write(_ file: PortedFile) throws(CommandFailure) {
    let target = URL(fileURLWithPath: "\(path)/\(file.path)")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: target, options: .atomic)
    } catch {
      throw CommandFailure(.cantCreate, "\(target.path) can't be written: \(error.localizedDescription)")
    }
  }

  /// Refuses links below the output, which could lead to the app's own files.
  private func checkFolders(of file: String) throws(CommandFailure) {
    var folder = path
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

  /// The folder itself, if it exists, and all existing folders above it, the nearest first.
  private static func identities(above path: String) -> [[UInt64]] {
    var found: [[UInt64]] = []
    // The nearest folder that exists; a name that doesn't exist yet can't be a link.
    var existing = URL(fileURLWithPath: path).standardizedFileURL.path
    while existing != "/", identity(existing) == nil {
      existing = URL(fileURLWithPath: existing).deletingLastPathComponent().path
    }
    var here = existing
    if let real = realpath(existing, nil) {
      here = String(cString: real)
      free(real)
    }
    while true {
      if let identity = identity(here) { found.append(identity) }
      guard here != "/" else { return found }
      here = URL(fileURLWithPath: here).deletingLastPathComponent().path
    }
  }
}
