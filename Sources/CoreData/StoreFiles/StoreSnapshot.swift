internal import DecantMigration
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// A complete copy of a store in a private folder, with the content of the `-wal` or journal in the file.
struct StoreSnapshot {
  let place: StorePlace
  let kind: SourceStore.Kind

  /// Copies a store; the source isn't changed.
  ///
  /// - Parameters:
  ///   - type: The expected `NSStoreType`.
  ///   - name: The file name of the copy, which decides the name of its folder of external data.
  ///   - folder: The private folder, on the file system of the copy's later place.
  static func make(
    of source: StorePlace, type: String, named name: String, in folder: PrivateFolder
  ) throws(CoreDataError) -> StoreSnapshot {
    guard try source.content() == .file else {
      throw CoreDataError(
        CocoaError.fileReadNoSuchFile.rawValue, "There is no store at \(source.path). Check the path.")
    }
    return try CoreDataError.of(source.path) {
      let before = source.state
      let store = try open(source, folder.path("scratch"))
      try StoreTypeCheck.run(store, type)
      let place = try StorePlace(try folder.makeFolder("result").appendingPathComponent(name))
      if store.kind == .xml || store.readPath == source.path {
        try FileCopy.copy(source.path, to: place.path, keepsPermissions: true)
      } else {
        try FoldedCopy.move(store, from: source, to: place.path)
      }
      let oddities = try ExternalData(store: source.url).copy(to: ExternalData(store: place.url))
      if let oddity = oddities.first {
        throw CoreDataError(NSPersistentStoreOpenError, "\(oddity) Remove it, then copy the store again.")
      }
      guard source.state == before else {
        throw CoreDataError(
          NSPersistentStoreOpenError,
          "\(source.path) was changed by another program while it was copied. Close it there, then try again.")
      }
      try FileCopy.sync(place.path)
      return StoreSnapshot(place: place, kind: store.kind)
    }
  }

  /// Opens a store of any version; an SQLite store may lack version hashes.
  private static func open(_ source: StorePlace, _ scratch: String) throws(StoreError) -> SourceStore {
    do {
      return try SourceStore(source.path, scratch: scratch, needsVersionHashes: false)
    } catch {
      guard case .xmlStore = error else { throw error }
      return try SourceStore.open(source.path, scratch: scratch)
    }
  }
}
