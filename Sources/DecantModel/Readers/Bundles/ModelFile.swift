internal import Foundation

/// Reads the files and folders of models.
enum ModelFile {
  static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// The largest accepted size in bytes; the largest genuine model seen has 200 kB.
  private static let maximumBytes = 64 << 20

  static func read(_ file: URL) throws(ModelError) -> Data {
    do throws(FileProblem) {
      return try DiskRead.contents(of: file.path, limit: maximumBytes)
    } catch {
      if case .system = error { throw .unreadable(reason: "check that it is a file, and its permissions") }
      throw .unreadable(reason: error.description)
    }
  }

  static func contents(of folder: URL) throws(ModelError) -> [URL] {
    // A link to a bundle counts as a bundle. Foundation's function for URLs would not follow it.
    guard let names = DiskRead.names(in: folder.path) else {
      if errno == ENOENT { throw .noSuchFile }
      throw .unreadable(reason: "the folder can't be listed; check that it is a folder, and its permissions")
    }
    return names.map(folder.appendingPathComponent)
  }

  /// Runs the body, and adds the file's path to errors that have no path.
  static func inFile<Result>(
    _ url: URL, _ body: () throws(ModelError) -> Result
  ) throws(ModelError) -> Result {
    do {
      return try body()
    } catch {
      if case .inFile = error { throw error }
      throw .inFile(path: url.path, error)
    }
  }
}
