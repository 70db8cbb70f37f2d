internal import FileNames
internal import Foundation

/// Finds the stores in a folder and all folders below it.
///
/// No link below the folder is followed. Names that begin with a dot, and folders of models or mapping models, are
/// skipped.
struct StoreWalk {
  enum Find: Sendable, Hashable {
    case store(path: String, bytes: Int)
    /// A path that can't be examined, and why.
    case unreadable(path: String, reason: String)
    /// A link, a special file, or a file that doesn't look like a store.
    case other
  }

  /// The usual endings of stores.
  ///
  /// The content of a file with such an ending doesn't matter.
  private static let endings = ["sqlite", "sqlite3", "sqlitedb", "db", "store", "storedata"]
  /// Endings of folders that hold models and mapping models.
  private static let bundles = [".xcdatamodeld", ".xcdatamodel", ".momd", ".xcmappingmodel"]
  private static let deepest = 64

  /// Walks through the folder; false from `take` ends the walk.
  ///
  /// Only the names in the current folder, and in the folders above it, are in memory.
  func run(in folder: String, take: (Find) -> Bool) { _ = walk(Array(folder.utf8), depth: 0, take) }

  private func walk(_ folder: [UInt8], depth: Int, _ take: (Find) -> Bool) -> Bool {
    guard depth < Self.deepest else { return take(.unreadable(path: Self.printed(folder), reason: "too deep")) }
    guard let names = Self.names(of: folder) else {
      return take(.unreadable(path: Self.printed(folder), reason: Self.problem))
    }
    for name in names {
      let path = folder + (folder.last == 0x2F ? [] : [0x2F]) + name.bytes
      var status = stat()
      guard Self.call(path, { lstat($0, &status) }) == 0 else {
        // A file that was removed meanwhile isn't reported.
        if errno != ENOENT, !take(.unreadable(path: Self.printed(path), reason: Self.problem)) { return false }
        continue
      }
      switch status.st_mode & S_IFMT {
      // Skip bundles: a mapping model of Xcode is an XML store, too.
      case S_IFDIR where Self.bundles.contains { name.hasSuffix($0) }: continue
      case S_IFDIR: guard walk(path, depth: depth + 1, take) else { return false }
      case S_IFREG: guard take(examine(name, path, Int(status.st_size))) else { return false }
      default: guard take(.other) else { return false }
      }
    }
    return true
  }

  private func examine(_ name: FileName, _ path: [UInt8], _ bytes: Int) -> Find {
    guard StoreNames.isStore(name) else { return .other }
    let isNamedSo = Self.endings.contains { name.text.lowercased().hasSuffix(".\($0)") }
    let file = Self.call(path) { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) } ?? -1
    guard file >= 0 else {
      return isNamedSo ? .unreadable(path: Self.printed(path), reason: Self.problem) : .other
    }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: 512)
    let count = pread(file, &start, start.count, 0)
    if count < 0 { return .unreadable(path: Self.printed(path), reason: Self.problem) }
    let text = String(decoding: start.prefix(count), as: UTF8.self)
    guard isNamedSo || text.hasPrefix("SQLite format 3\0") || text.contains("<!DOCTYPE database") else {
      return .other
    }
    guard let path = String(validating: path, as: UTF8.self) else {
      return .unreadable(path: Self.printed(path), reason: "its name isn't UTF-8: rename it")
    }
    return .store(path: path, bytes: bytes)
  }

  private static var problem: String { String(cString: strerror(errno)) }

  private static func printed(_ path: [UInt8]) -> String { FileName(bytes: path).description }

  private static func call<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    (path + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { $0.baseAddress.map(body) }
  }

  private static func names(of folder: [UInt8]) -> [FileName]? {
    guard let opened = call(folder, { opendir($0) }), let stream = opened else { return nil }
    defer { closedir(stream) }
    var names: [FileName] = []
    while let entry = readdir(stream) {
      let name = FileName(
        bytes: withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix(while: { $0 != 0 })) })
      // Skip names that begin with a dot: those of external data and of the system's own files.
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
