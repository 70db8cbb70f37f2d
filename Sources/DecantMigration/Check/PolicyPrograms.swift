internal import Foundation

/// Finds the programs of policies.
enum PolicyPrograms {
  /// The file that a program's first word stands for: an absolute path, a path within the family's folder, or a name
  /// that PATH leads to; `nil` where that is no file that can be run.
  static func path(of word: String, folder: URL, searchPath: String?) -> String? {
    guard !word.isEmpty, !word.utf8.contains(0) else { return nil }
    if word.hasPrefix("/") { return runnable(word) }
    if word.contains("/") { return runnable(folder.appendingPathComponent(word).path) }
    let folders = (searchPath ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
    return folders.lazy.filter { $0.hasPrefix("/") }.compactMap { runnable("\($0)/\(word)") }.first
  }

  private static func runnable(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
      return nil
    }
    return path
  }
}
