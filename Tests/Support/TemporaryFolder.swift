public import Foundation

/// A folder that is removed with this value.
public final class TemporaryFolder: Sendable {
  public let url: URL

  /// - Parameter place: The parent folder; by default the one for temporary files.
  public init(_ name: String = "decant-tests", in place: URL? = nil) throws {
    url = (place ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A path inside the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a text file, with the folders above it.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }
}
