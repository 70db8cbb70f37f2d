internal import Glibc

/// Files and folders with all their content.
enum FileTree {
  /// The maximum depth of folders below the first folder.
  private static let depth = 8

  /// Copies the content of a folder into another one, which doesn't exist yet.
  ///
  /// Only regular files and folders are copied. Folders below the maximum depth are left out.
  static func copy(
    _ source: [UInt8], to destination: [UInt8], level: Int = 0, goesOn: () -> Bool
  ) throws(FileTrouble) {
    try make(destination)
    guard let entries = ByteFile.entries(of: source) else { throw FileTrouble(source, "read") }
    for entry in entries {
      let (from, to) = (ByteFile.path(source, entry.name), ByteFile.path(destination, entry.name))
      switch try kind(entry, at: from) {
      case S_IFREG: _ = try FilePass.copy(from, to: to, goesOn: goesOn)
      case S_IFDIR where level < depth: try copy(from, to: to, level: level + 1, goesOn: goesOn)
      default: break
      }
    }
  }

  /// Makes the regular files and folders in a folder durable, and the folder itself last.
  ///
  /// Folders more than one level below the maximum depth are left out.
  static func sync(_ folder: [UInt8], level: Int = 0) throws(FileTrouble) {
    guard let entries = ByteFile.entries(of: folder) else { throw FileTrouble(folder, "read") }
    for entry in entries {
      let path = ByteFile.path(folder, entry.name)
      switch try kind(entry, at: path) {
      case S_IFREG: try syncOne(path)
      case S_IFDIR where level <= depth: try sync(path, level: level + 1)
      default: break
      }
    }
    try syncOne(folder)
  }

  /// Makes one file, or the names in one folder, durable.
  static func syncOne(_ path: [UInt8]) throws(FileTrouble) {
    let descriptor = ByteFile.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileTrouble(path, "opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileTrouble(path, "made durable") }
  }

  /// Makes a folder in an existing folder, unless it is there already.
  ///
  /// - Parameter mode: The mode of a new folder, before the process's umask is applied.
  /// - Returns: Whether the folder is new.
  @discardableResult
  static func make(_ folder: [UInt8], mode: mode_t = 0o777) throws(FileTrouble) -> Bool {
    let code = (folder + [0]).withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map { mkdir($0, mode) } ?? -1
    }
    if code == 0 { return true }
    guard errno == EEXIST, let status = ByteFile.status(folder), status.st_mode & S_IFMT == S_IFDIR else {
      throw FileTrouble(folder, "made")
    }
    return false
  }

  /// The kind of an entry, also where the file system doesn't state it.
  static func kind(_ entry: ByteFile.Entry, at path: [UInt8]) throws(FileTrouble) -> mode_t {
    if let kind = entry.kind { return kind }
    guard let status = ByteFile.status(path) else { throw FileTrouble(path, "examined") }
    return status.st_mode & S_IFMT
  }
}
