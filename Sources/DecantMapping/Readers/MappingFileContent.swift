internal import DecantModel
internal import Foundation

enum MappingFileContent {
  /// The largest accepted size in bytes; the largest genuine mapping model seen has 700 kB.
  static let maximumBytes = 64 << 20

  static func read(_ file: URL) throws(MappingModelError) -> Data {
    do throws(FileProblem) {
      return try DiskRead.contents(of: file.path, limit: maximumBytes)
    } catch {
      if case .system = error { throw .unreadable(path: file.path) }
      throw .malformed(path: file.path, reason: error.description)
    }
  }
}
