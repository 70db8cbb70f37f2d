internal import DecantStore
internal import Foundation

/// A folder of this call alone, removed with the last reference to it.
final class PrivateFolder: Sendable {
  let url: URL

  /// A folder for copies that are only read.
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("decant-\(UUID().uuidString)")
    try Self.make(url)
  }

  /// A hidden folder beside a store, from which files can be renamed into the store's place.
  ///
  /// - Throws: `CoreDataError` if the store's folder is missing or can't be written to.
  init(beside store: StorePlace) throws {
    url = store.folder.appendingPathComponent(
      ".\(store.url.lastPathComponent).decant-\(UUID().uuidString.prefix(8))")
    try Self.make(url)
  }

  private static func make(_ url: URL) throws {
    guard mkdir(url.path, 0o700) != 0 else { return }
    let number = errno
    let folder = url.deletingLastPathComponent().path
    let words = String(cString: strerror(number))
    guard number == ENOENT else {
      throw CoreDataError(
        CocoaError.fileWriteNoPermission.rawValue,
        "No file can be made in \(folder): \(words). Check the folder's permissions.")
    }
    throw CoreDataError(
      CocoaError.fileNoSuchFile.rawValue, "There is no folder \(folder). Make it before the store.")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A path inside the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Makes a folder inside this one.
  func makeFolder(_ name: String) throws(StoreError) -> URL {
    try FileCopy.makeFolder(path(name))
    return url.appendingPathComponent(name, isDirectory: true)
  }
}
