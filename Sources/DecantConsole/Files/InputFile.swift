package import DecantCatalogue
internal import DecantModel
internal import DecantStore
internal import FileNames
internal import Foundation

/// Checks the paths that the user names, so that exit code and message state the kind of problem.
package enum InputFile {
  /// Checks that a store is a regular file that this user may read.
  ///
  /// - Returns: The path; for a link, its target's path, because the `-wal` and external data are beside the target.
  @discardableResult
  package static func checkStore(_ path: String) throws(CommandFailure) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { throw missing(path, what: "file") }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw CommandFailure(
        .badData, "\(path) is a folder, not a store.", advice: "Name the store file itself.")
    default:
      throw CommandFailure(
        .badData, "\(path) is not a regular file.", advice: "Name the store file itself.")
    }
    guard access(path, R_OK) == 0 else { throw forbidden(path) }
    if let failure = companion(path) { throw failure }
    let place = try linked(path)
    do { try StoreForms.check(place) } catch { throw CommandFailure(error) }
    return place
  }

  /// The target of a link; any other path unchanged.
  private static func linked(_ path: String) throws(CommandFailure) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let target = target(path) else {
      return path
    }
    guard target.isText else {
      throw CommandFailure(
        .badData, "\(path) is a link to \(target), whose name isn't UTF-8.",
        advice: "Copy that store, with the files beside it, to a name that is UTF-8.")
    }
    return target.text
  }

  /// The absolute path without links; `nil` if there is none, and then `errno` is set.
  private static func target(_ path: String) -> FileName? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return FileName(bytes: Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }

  /// The absolute path of a folder, without links.
  package static func real(_ folder: String) throws(CommandFailure) -> String {
    guard let target = target(folder) else { throw CommandFailure(errno: errno, folder, "opened") }
    guard target.isText else {
      throw CommandFailure(
        .usage, "\(folder) leads to \(target), whose name isn't UTF-8.",
        advice: "Name a folder whose path is UTF-8.")
    }
    return target.text
  }

  /// The failure for a log or journal that belongs to a store; `nil` for any other file.
  private static func companion(_ path: String) -> CommandFailure? {
    let kinds = [
      "-wal": "a write-ahead log", "-shm": "the index of a write-ahead log", "-journal": "a rollback journal",
    ]
    guard let (ending, kind) = kinds.first(where: { FileName(path).hasSuffix($0.key) }),
      let store = FileName(path).dropping(ending)?.text,
      let file = FileHandle(forReadingAtPath: path)
    else { return nil }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: 16)) ?? nil
    // The name of a store may have such an ending, too.
    guard start != Data("SQLite format 3\0".utf8) else { return nil }
    return CommandFailure(
      .badData, "\(path) is \(kind), not a store.",
      advice: "Name \(store). Decant also reads the files beside the store.")
  }

  /// Checks that a folder exists and may be read and entered.
  package static func checkFolder(_ path: String, what: String) throws(CommandFailure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw missing(path, what: what) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(.noSuchFile, "\(path) is not a folder.", advice: "Name the \(what).")
    }
    guard access(path, R_OK | X_OK) == 0 else { throw forbidden(path) }
  }

  package static func catalogue(_ path: String, what: String = "catalogue") throws(CommandFailure) -> Catalogue
  {
    try checkFolder(path, what: what)
    do throws(CatalogueError) {
      return try Catalogue.read(at: URL(fileURLWithPath: path))
    } catch {
      switch error {
      case .notFound: throw CommandFailure(.noSuchFile, error.description)
      case .unreadable: throw CommandFailure(.catalogueUnreadable, error.description)
      }
    }
  }

  package static func forbidden(_ path: String) -> CommandFailure {
    CommandFailure(
      .permission, "\(path) can't be read: \(String(cString: strerror(EACCES))).",
      advice: "Check its permissions and those of the folders above it.")
  }

  /// The failure for a path that can't be read; uses `errno`.
  package static func missing(_ path: String, what: String) -> CommandFailure {
    if DiskFailure.isOne(errno) {
      return CommandFailure(DiskFailure(path: path, action: "looked at", code: errno))
    }
    return errno == EACCES
      ? forbidden(path)
      : CommandFailure(.noSuchFile, "There is no \(what) \(path).", advice: "Check the path.")
  }
}
