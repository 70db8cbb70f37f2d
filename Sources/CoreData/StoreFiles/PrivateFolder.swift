internal import DecantStore
internal import Foundation
internal import Synchronization

/// A folder that only its creator uses.
///
/// The folder is removed when the last reference to this object is gone, or at the end of the program. The second case
/// is needed because Swift never releases an object in a global variable, such as a container.
final class PrivateFolder: Sendable {
  let url: URL

  /// A folder for copies that are only read.
  init() throws {
    url = URL(fileURLWithPath: ScratchPlace().path, isDirectory: true)
    try Self.make(url)
  }

  /// A hidden folder beside a store, from which files can be renamed into the store's place.
  init(beside store: StorePlace) throws {
    url = store.folder.appendingPathComponent(
      ".\(store.url.lastPathComponent).decant-\(UUID().uuidString.prefix(8))")
    try Self.make(url)
  }

  private static func make(_ url: URL) throws {
    guard mkdir(url.path, 0o700) != 0 else { return FoldersInUse.add(url.path) }
    let number = errno
    let folder = url.deletingLastPathComponent().path
    guard number != ENOENT else {
      throw CoreDataError(
        CocoaError.fileNoSuchFile.rawValue, "There is no folder \(folder). Make it before the store.")
    }
    let (code, advice) = problem(number)
    throw CoreDataError(
      code.rawValue, "No file can be made in \(folder): \(String(cString: strerror(number))). \(advice)")
  }

  private static func problem(_ number: Int32) -> (code: CocoaError.Code, advice: String) {
    switch number {
    case EACCES, EPERM: (.fileWriteNoPermission, "Check the folder's permissions.")
    case EROFS: (.fileWriteVolumeReadOnly, "Mount the file system for writing, or take another folder.")
    case ENOSPC, EDQUOT: (.fileWriteOutOfSpace, "Free space on the disk.")
    default: (.fileWriteUnknown, "Check the folder and its disk.")
    }
  }

  deinit { FoldersInUse.remove(url.path) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func makeFolder(_ name: String) throws(StoreError) -> URL {
    try FileCopy.makeFolder(path(name))
    return url.appendingPathComponent(name, isDirectory: true)
  }
}

private enum FoldersInUse {
  private static let paths = Mutex<Set<String>>([])
  private static let atEnd: Void = {
    atexit { for path in FoldersInUse.paths.withLock({ $0 }) { FoldersInUse.remove(path) } }
  }()

  static func add(_ path: String) {
    _ = atEnd
    paths.withLock { _ = $0.insert(path) }
  }

  static func remove(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
    try? FileManager.default.removeItem(atPath: path)  // Nothing can be done about a folder that stays.
  }
}
