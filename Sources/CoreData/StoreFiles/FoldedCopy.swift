internal import DecantStore
internal import Foundation

/// The private copy of a store that was made when the store was opened: the content of the `-wal` or journal is in its
/// file.
enum FoldedCopy {
  /// Moves the copy to a path by renaming it; the copy gets the store's permissions and journal mode.
  static func move(_ store: SourceStore, from source: StorePlace, to path: String) throws {
    var status = stat()
    // An error of chmod is ignored, because some file systems have no permissions.
    if lstat(source.path, &status) == 0 { _ = chmod(store.readPath, status.st_mode & 0o666 | 0o600) }
    if store.usesWriteAheadLog {
      // Two bytes of the header have the journal mode (SQLite's file format, 1.3.3). In the copy, SQLite has changed
      // these bytes.
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: store.readPath))
      defer { try? file.close() }
      try file.seek(toOffset: 18)
      try file.write(contentsOf: Data([2, 2]))
    }
    try FileCopy.sync(store.readPath)
    guard rename(store.readPath, path) == 0 else { throw FileCopy.failure(path, "put into place") }
  }
}
