internal import Foundation

/// The Swift files below a folder.
///
/// The folder isn't changed, and no link below it is followed. Files and folders are ignored if their names begin with
/// a dot.
package struct AppFolder: Sendable {
  /// A file or folder that isn't read.
  package struct Skipped: Sendable, Hashable {
    package let path: String
    /// The reason, as a sentence without its subject and full stop.
    package let reason: String
  }

  /// The largest size in bytes of a file that is read.
  package static let sizeLimit = 1 << 20
  /// The largest number of files and folders that are looked at.
  package static let entryLimit = 100_000
  private static let depthLimit = 64
  /// The names of folders with other people's packages, and of folders with builds.
  private static let foreign: Set = ["Pods", "Carthage", "DerivedData"]

  package private(set) var sources: [AppSource] = []
  package private(set) var skipped: [Skipped] = []
  private var entries = 0
  private let root: String

  /// - Throws: `AppFolderError` if the folder is too large, or can't be read.
  package init(_ path: String) throws(AppFolderError) {
    root = path
    try read("", depth: 0)
  }

  private mutating func read(_ folder: String, depth: Int) throws(AppFolderError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? root : "\(root)/\(folder)")
    } catch {
      guard !folder.isEmpty else { throw .unreadable(root, error.localizedDescription) }
      return skip(folder, "can't be read")
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      entries += 1
      guard entries <= Self.entryLimit else { throw .tooLarge(root) }
      try take(folder.isEmpty ? name : "\(folder)/\(name)", name, depth)
    }
  }

  private mutating func take(_ path: String, _ name: String, _ depth: Int) throws(AppFolderError) {
    var status = stat()
    guard lstat("\(root)/\(path)", &status) == 0 else { return skip(path, "can't be read") }
    let isSwift = name.hasSuffix(".swift")
    switch status.st_mode & S_IFMT {
    case S_IFDIR where Self.foreign.contains(name):
      skip(path, "is a folder of other people's code or of builds")
    case S_IFDIR where depth >= Self.depthLimit: skip(path, "lies too deep")
    case S_IFDIR: try read(path, depth: depth + 1)
    case S_IFLNK: skip(path, "is a symbolic link")
    case S_IFREG where isSwift && status.st_size > Self.sizeLimit: skip(path, "has more than 1 MiB")
    case S_IFREG where isSwift: load(path)
    default: if isSwift { skip(path, "is not a regular file") }
    }
  }

  private mutating func load(_ path: String) {
    guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else {
      return skip(path, "can't be read")
    }
    let bytes = [UInt8](data)
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      return skip(path, "isn't UTF-8")
    }
    sources.append(AppSource(path: path, bytes: bytes))
  }

  private mutating func skip(_ path: String, _ reason: String) {
    skipped.append(Skipped(path: path, reason: reason))
  }
}
