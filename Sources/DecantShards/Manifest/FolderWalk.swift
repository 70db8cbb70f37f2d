internal import FileNames
internal import Glibc

/// Finds the files below a folder that begin as SQLite files or can't be opened, in the order of their names' bytes.
///
/// Links aren't followed. The files that SQLite keeps beside a store, and folders of external data, are left out.
///
/// Only the names in the current folder, and in the folders above it, are in memory.
struct FolderWalk {
  private struct Level {
    var folder: [UInt8]
    var entries: [ByteFile.Entry]
    var next = 0
  }

  private static let magic = Array("SQLite format 3\0".utf8)
  private var levels: [Level] = []
  /// The folder that is read first; `nil` after it was read.
  private var root: [UInt8]?

  /// A walk that finds nothing.
  init() {}

  init(_ folder: [UInt8]) { root = folder }

  /// The next store; `nil` at the end.
  ///
  /// A folder that can't be read ends the walk with an error, because its stores would be missing.
  mutating func next() throws(ShardError) -> [UInt8]? {
    if let first = root {
      root = nil
      try enter(first, isRoot: true)
    }
    while let level = levels.last {
      guard level.next < level.entries.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let entry = level.entries[level.next]
      let path = ByteFile.path(level.folder, entry.name)
      let kind = entry.kind ?? ByteFile.status(path).map { $0.st_mode & S_IFMT }
      if kind == S_IFDIR, !Self.isSupport(entry.name) {
        try enter(path)
      } else if kind == S_IFREG, Self.isStore(entry.name, at: path) {
        return path
      }
    }
    return nil
  }

  private mutating func enter(_ folder: [UInt8], isRoot: Bool = false) throws(ShardError) {
    guard let entries = ByteFile.entries(of: folder) else {
      // The folder was removed after its name was read.
      if errno == ENOENT, !isRoot { return }
      throw .file(path: ByteFile.printed(folder), action: "read", code: errno)
    }
    levels.append(Level(folder: folder, entries: entries))
  }

  /// Whether a folder's name is that of a store's external data: `.NAME_SUPPORT`.
  private static func isSupport(_ name: [UInt8]) -> Bool {
    let name = FileName(bytes: name)
    return name.hasPrefix(".") && name.hasSuffix("_SUPPORT")
  }

  private static func isStore(_ name: [UInt8], at path: [UInt8]) -> Bool {
    guard StoreNames.sibling(FileName(bytes: name)) == nil else { return false }
    let descriptor = ByteFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    // A file that can't be opened is listed; the run then reports it.
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: magic.count)
    return pread(descriptor, &start, start.count, 0) == start.count && start == magic
  }
}
