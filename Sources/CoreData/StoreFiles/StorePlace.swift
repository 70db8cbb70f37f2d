internal import CLinux
internal import DecantStore
internal import FileNames
internal import Foundation

/// The place of a store: its file, the files that SQLite keeps beside it, and the folder of external data.
struct StorePlace {
  enum Content: Equatable {
    case nothing
    /// A file without content and without a log; SQLite makes such a file before it writes.
    case emptyFile
    case file
  }

  let url: URL
  var path: String { url.path }
  var folder: URL { URL(fileURLWithPath: PathText.folder(of: path), isDirectory: true) }

  /// - Throws: `CoreDataError` if the URL is nil, isn't that of a file, or is `/dev/null`.
  init(_ url: URL?) throws(CoreDataError) {
    guard let url else {
      throw CoreDataError(
        NSPersistentStoreOpenError, "The store has no URL. Give the file's URL.")
    }
    guard url.isFileURL, url.path != "/", !url.path.isEmpty else {
      throw CoreDataError(
        NSPersistentStoreOpenError, "\(url) isn't the URL of a file. Use URL(fileURLWithPath:).")
    }
    guard url.path != "/dev/null" else {
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError,
        "A store at /dev/null would exist only in memory, which isn't possible here. Use a file in a temporary folder."
      )
    }
    self.url = url.standardizedFileURL
  }

  var siblings: [String] { StoreNames.siblingSuffixes.map { path + $0 } }

  /// The folder `.NAME_SUPPORT`.
  var support: String { folder.path + "/" + StoreNames.support(PathText.name(of: path)).text }

  /// Looks at the place.
  ///
  /// - Throws: `CoreDataError` if one of the store's names belongs to something of another kind, such as a link or a
  ///   device, or can't be looked up.
  func content() throws(CoreDataError) -> Content {
    let file = try status(path, S_IFREG, "The store")
    _ = try status(support, S_IFDIR, "The folder of external data")
    var isLogged = false
    for sibling in siblings where (try status(sibling, S_IFREG, "The file beside the store"))?.st_size ?? 0 > 0
    {
      isLogged = true
    }
    guard let file else { return .nothing }
    return file.st_size == 0 && !isLogged ? .emptyFile : .file
  }

  private func status(_ path: String, _ kind: mode_t, _ words: String) throws(CoreDataError) -> stat? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw CoreDataError(FileCopy.failure(path, "read")) }
      return nil
    }
    guard status.st_mode & S_IFMT == kind else {
      let found =
        switch status.st_mode & S_IFMT {
        case S_IFLNK: "a symbolic link, and no link is followed"
        case S_IFDIR: "a folder"
        case S_IFREG: "a file"
        default: "neither a file nor a folder"
        }
      throw CoreDataError(
        NSPersistentStoreOpenError, "\(words) \(path) is \(found). Give the path of the store file itself.")
    }
    return status
  }

  /// By name or by a hard link.
  func isSame(as other: StorePlace) -> Bool {
    if resolved == other.resolved { return true }
    var (own, its) = (stat(), stat())
    return stat(path, &own) == 0 && stat(other.path, &its) == 0 && own.st_dev == its.st_dev
      && own.st_ino == its.st_ino
  }

  /// The path without links in the folders above the file.
  private var resolved: String {
    folder.resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent).standardizedFileURL.path
  }

  /// A text that changes when another program writes to the store.
  var state: String {
    ([path] + siblings).map { path in
      var status = stat()
      guard lstat(path, &status) == 0 else { return "-" }
      // SQLite changes the -shm even if a program only reads.
      if path.hasSuffix("-shm") { return "" }
      return
        "\(status.st_dev) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: "|")
  }
}
