import Foundation

/// A folder that is removed with the test.
final class TemporaryFolder {
  let path: String

  /// Makes the folder, in memory if wanted and possible: for tests with many thousand calls of fsync.
  init(inMemory: Bool = false) throws {
    let base = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    // Short, because paths of sockets must be short.
    path = "\(base)/dct-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
  }

  func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  /// The names in a folder, sorted, dot names included.
  func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }

  /// Every file below a folder with its text.
  func tree(_ folder: String) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path(folder)) {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path(folder + "/" + name), isDirectory: &isFolder)
      if exists, !isFolder.boolValue { result[name] = try text(folder + "/" + name) }
    }
    return result
  }
}
