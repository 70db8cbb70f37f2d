internal import CLinux
internal import FileNames
internal import Foundation

struct MigrationFiles {
  let source: URL
  let destination: URL

  /// Checks that source and destination are different files, by name, symbolic link and hard link.
  func checkApart() throws {
    let (from, to) = (Self.identity(source), Self.identity(destination))
    let isOne = Self.resolved(source) == Self.resolved(destination) || (from != nil && from == to)
    guard isOne else { return }
    throw CoreDataError(
      NSMigrationManagerDestinationStoreError,
      "\(source.path) and \(destination.path) are one file; the source stays as it is, so name another destination."
    )
  }

  func naming(_ text: String, result: URL) -> String {
    text.replacingOccurrences(of: result.path, with: destination.path)
  }

  var hasDestination: Bool {
    var status = stat()
    return lstat(destination.path, &status) == 0
  }

  /// A text that changes when the source's store file, `-wal` or `-journal` changes.
  var sourceState: String { Self.state(source) }
  var destinationState: String { Self.state(destination) }

  private static func state(_ url: URL) -> String {
    (["", "-wal", "-journal"].map { suffix in
      var status = stat()
      guard stat(url.path + suffix, &status) == 0 else { return "-" }
      return
        "\(status.st_dev) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    } + [resolved(url)]).joined(separator: "|")
  }

  private static func identity(_ url: URL) -> String? {
    var status = stat()
    return stat(url.path, &status) == 0 ? "\(status.st_dev) \(status.st_ino)" : nil
  }

  /// The path without links; the file needn't exist.
  private static func resolved(_ url: URL) -> String {
    url.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent)
      .resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// Creates this run's own folder beside the destination.
  func makeFolder() throws -> URL {
    let folder = destination.deletingLastPathComponent().appendingPathComponent(
      ".\(destination.lastPathComponent).decant-\(UUID().uuidString.prefix(8))")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CoreDataError(
        NSMigrationManagerDestinationStoreError,
        "No file can be made in the folder of \(destination.path): \(error.localizedDescription)")
    }
    return folder
  }

  /// Moves a finished store and its external data into place; the store is moved last.
  ///
  /// Existing files of a former store are replaced or removed.
  func install(_ result: URL) throws {
    let (old, new) = (support(of: destination), support(of: result))
    do {
      try FileManager.default.removeItem(at: old)
    } catch CocoaError.fileNoSuchFile {
      // The former store had no external data.
    } catch {
      throw CoreDataError(
        NSMigrationManagerDestinationStoreError,
        "The external data \(old.path) of the former store can't be removed: \(error.localizedDescription)")
    }
    if FileManager.default.fileExists(atPath: new.path) { try move(new, to: old) }
    for suffix in ["-wal", "-shm", "-journal"] { unlink(destination.path + suffix) }
    try move(result, to: destination)
  }

  private func move(_ from: URL, to: URL) throws {
    guard rename(from.path, to.path) != 0 else { return }
    throw CoreDataError(
      NSMigrationManagerDestinationStoreError,
      "\(to.path) can't be written: \(String(cString: strerror(errno)))")
  }

  private func support(of store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(
      StoreNames.support(PathText.name(of: store.path)).text)
  }
}
