internal import Foundation

/// The files and folders of models, with errors that name them.
enum ModelFile {
  static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  static func read(_ file: URL) throws(ModelError) -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw .unreadable(reason: "check that it is a file and its permissions")
    }
  }

  static func contents(of folder: URL) throws(ModelError) -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    } catch CocoaError.fileReadNoSuchFile {
      throw .noSuchFile
    } catch {
      throw .unreadable(reason: "the folder can't be listed; check that it is one and its permissions")
    }
  }

  /// Runs the body, and puts the file's path before errors that don't name one.
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
