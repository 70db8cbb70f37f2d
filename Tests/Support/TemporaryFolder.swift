public import Foundation

/// A folder that is removed when this object is released.
public final class TemporaryFolder: Sendable {
  public let path: String
  public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// - Parameter place: The parent folder; by default the one for temporary files.
  public convenience init(_ name: String = "decant-tests", in place: URL? = nil) throws {
    let place = place ?? FileManager.default.temporaryDirectory
    try self.init(making: place.appendingPathComponent("\(name)-\(UUID().uuidString)").path)
  }

  private init(making path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A folder that all users can reach.
  ///
  /// Its path is short, because the paths of sockets must be short.
  ///
  /// - Parameter inMemory: Whether the folder is in memory if possible, for tests with many thousand calls of fsync.
  public static func short(inMemory: Bool = false) throws -> TemporaryFolder {
    let base = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    return try TemporaryFolder(making: "\(base)/dct-\(UUID().uuidString.prefix(13))")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path inside the folder.
  ///
  /// It keeps the bytes of the name.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a text file and makes the folders above it.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> URL {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  public func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
  }

  public func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  /// The names in a folder, sorted, dot names included.
  public func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }

  /// The text of every file below a folder, by its path in that folder.
  public func tree(_ folder: String) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path(folder)) {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path(folder + "/" + name), isDirectory: &isFolder)
      if exists, !isFolder.boolValue { result[name] = try text(folder + "/" + name) }
    }
    return result
  }
}
