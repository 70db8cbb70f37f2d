internal import DecantStore
internal import FileNames
internal import Foundation

/// Puts a complete store into a place where another store may be.
///
/// One rename puts the new store in the place of the old one. If the process is killed before the rename, the old store
/// is there; after the rename, the new one. Both are complete: the content of the old store's `-wal` or journal goes
/// into the old file first. After a kill, files of external data that belong to no store may be left behind.
enum StorePlacement {
  /// - Parameters:
  ///   - made: The new store, without a `-wal` or journal. Its file name is that of the place.
  ///   - place: The place; its folder must be on the same file system.
  ///   - scratch: A private folder, also on the same file system.
  /// - Throws: `CoreDataError`. If the error comes before the rename, the old store keeps its content. But the content
  ///   of the old store's log may now be in the old file, and external data of the new store may be in the old folder.
  ///   If the error comes after the rename, the new store is in place.
  static func put(_ made: StorePlace, at place: StorePlace, scratch: PrivateFolder) throws(CoreDataError) {
    let content = try place.content()
    try CoreDataError.of(place.path) {
      if content == .file { try fold(place, scratch) }
      let support = try SupportFolders(old: place.support, new: made.support)
      try support.add()
      try FileCopy.sync(made.path)
      try removeSiblings(of: place)
      guard rename(made.path, place.path) == 0 else { throw FileCopy.failure(place.path, "put into place") }
      try FileCopy.sync(place.folder.path)
      try support.removeSurplus()
    }
  }

  /// The file is removed first, so that it never exists without its log.
  static func clear(_ place: StorePlace) throws(CoreDataError) {
    try CoreDataError.of(place.path) {
      guard unlink(place.path) == 0 || errno == ENOENT else { throw FileCopy.failure(place.path, "removed") }
      try FileCopy.sync(place.folder.path)
      try removeSiblings(of: place)
      try SupportFolders(old: place.support, new: "").removeSurplus()
    }
  }

  /// Puts the content of the old store's `-wal` or journal into its file.
  ///
  /// If the process is killed before the log is removed, SQLite applies the log again. This does no harm, because the
  /// log holds whole pages. A store that can't be read has no content to save.
  private static func fold(_ place: StorePlace, _ scratch: PrivateFolder) throws {
    let store: SourceStore
    do {
      store = try SourceStore(
        place.path, scratch: scratch.path("old"), checksPages: false, needsVersionHashes: false)
    } catch {
      guard !error.mayGetBetter else { throw error }
      return
    }
    guard store.readPath != place.path else { return }
    try FoldedCopy.move(store, from: place, to: place.path)
    try FileCopy.sync(place.folder.path)
  }

  private static func removeSiblings(of place: StorePlace) throws(StoreError) {
    var isChanged = false
    for sibling in place.siblings {
      if unlink(sibling) == 0 {
        isChanged = true
      } else if errno != ENOENT {
        throw FileCopy.failure(sibling, "removed")
      }
    }
    if isChanged { try FileCopy.sync(place.folder.path) }
  }
}
