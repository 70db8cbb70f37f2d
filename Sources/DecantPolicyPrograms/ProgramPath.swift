internal import Foundation
internal import Glibc

/// Finds the file of a policy program's first word.
package enum ProgramPath {
  /// The search path if the environment has none.
  static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  static var searchPath: String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.isEmpty ? standardPath : path
  }

  /// The absolute path of a program.
  ///
  /// A word with a slash is a path, absolute or relative to the folder. A word without a slash is searched in `PATH`.
  package static func resolve(_ word: String, in folder: String) throws(PolicyProgramError.Reason) -> String {
    if word.contains("/") {
      let path =
        word.hasPrefix("/") ? word : URL(fileURLWithPath: folder).appendingPathComponent(word).standardized.path
      guard isFile(path) else { throw .notFound(searched: "there is no file “\(path)”") }
      guard access(path, X_OK) == 0 else { throw .notExecutable(path: path) }
      try ProgramHead.check(path)
      return path
    }
    let path = try found(word)
    try ProgramHead.check(path)
    return path
  }

  static func found(_ word: String) throws(PolicyProgramError.Reason) -> String {
    var found: String?
    // Only absolute paths are searched, because other paths would be relative to Decant's working folder.
    for place in searchPath.split(separator: ":") where place.hasPrefix("/") {
      let path = "\(place)/\(word)"
      guard isFile(path) else { continue }
      if access(path, X_OK) == 0 { return path }
      found = found ?? path
    }
    if let found { throw .notExecutable(path: found) }
    throw .notFound(searched: "there is no “\(word)” in \(searchPath)")
  }

  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
