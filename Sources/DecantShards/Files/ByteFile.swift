internal import CLinux
internal import FileNames
internal import Glibc

/// System calls with paths of bytes, for names that aren't text.
///
/// A result below 0 leaves its cause in `errno`.
enum ByteFile {
  private static func with<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // The array has at least its last byte, so there is an address.
      buffer.baseAddress.map(body) ?? "".withCString(body)
    }
  }

  static func open(_ path: [UInt8], _ flags: Int32, mode: mode_t = 0o600) -> Int32 {
    with(path) { Glibc.open($0, flags | O_CLOEXEC, mode) }
  }

  /// The state of a file; a link isn't followed.
  ///
  /// - Returns: `nil` with the cause in `errno` if the path can't be examined.
  static func status(_ path: [UInt8]) -> stat? {
    var status = stat()
    return with(path) { lstat($0, &status) } == 0 ? status : nil
  }

  static func rename(_ old: [UInt8], to new: [UInt8]) -> Int32 {
    with(old) { old in with(new) { Glibc.rename(old, $0) } }
  }

  /// Exchanges two names; some file systems, such as NFS, can't do this.
  static func exchange(_ one: [UInt8], with other: [UInt8]) -> Int32 {
    with(one) { one in with(other) { decant_exchange_names(one, $0) } }
  }

  struct Entry {
    var name: [UInt8]
    /// `S_IFREG` and so on; `nil` if the file system doesn't state it.
    var kind: mode_t?
  }

  /// The entries of a folder in the order of their names' bytes; `nil` if the folder can't be read.
  static func entries(of folder: [UInt8]) -> [Entry]? {
    guard let stream = with(folder, opendir) else { return nil }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
      let type = Int(entry.pointee.d_type)
      entries.append(Entry(name: name, kind: type == Int(DT_UNKNOWN) ? nil : mode_t(type) << 12))
    }
    guard errno == 0 else { return nil }
    return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Whether a folder has no entries; false if it can't be read.
  static func isEmpty(_ folder: [UInt8]) -> Bool {
    guard let stream = with(folder, opendir) else { return false }
    defer { closedir(stream) }
    var count = 0
    errno = 0
    while count < 3, readdir(stream) != nil { count += 1 }
    // Two entries are the folder itself and its parent.
    return count < 3 && errno == 0
  }

  static func path(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    folder.last == 0x2F ? folder + name : folder + [0x2F] + name
  }

  static func printed(_ path: [UInt8]) -> String { FileName(bytes: path).description }
}
