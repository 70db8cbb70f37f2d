/// The permissions of a result's files and folders.
struct StoreAccess: Sendable, Hashable {
  /// For the store: what the source store and its logs all allow, because a result has the content of all these files.
  var store: FilePermissions
  /// For the folder of external data: the permissions of the source's folder.
  ///
  /// If the source has no such folder, the permissions follow from `store`.
  var support: FilePermissions
  /// For files of external data: what `store` and all external files of the source allow.
  var external: FilePermissions
  /// For the folders in the folder of external data: what all these folders of the source allow.
  ///
  /// If the source has none, the permissions follow from `external`.
  var externalFolders: FilePermissions

  init(store: FilePermissions) {
    (self.store, external) = (store, store)
    (support, externalFolders) = (store.ofFolder, store.ofFolder)
  }

  func give(toContentOf folder: [UInt8]) throws(FileTrouble) {
    try store.give(toContentOf: folder, folders: support) { folder throws(FileTrouble) in
      try external.give(toContentOf: folder, folders: externalFolders)
    }
  }
}
