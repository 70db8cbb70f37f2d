struct StoreAccess: Sendable, Hashable {
  /// For the store: what the store and its logs all allow, because a result has the content of all these files.
  var store: FilePermissions
  /// For the folder of external data: its own access.
  ///
  /// If there is no folder, this access follows from `store`.
  var support: FilePermissions
  /// For files of external data: what `store` and all these files allow.
  var external: FilePermissions
  /// For the folders in the folder of external data: what all of them allow.
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
