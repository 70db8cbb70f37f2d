/// Who may use the files of a store.
struct StoreAccess: Sendable, Hashable {
  /// What the store and its logs give: a result holds the content of all of them.
  var store: FilePermissions
  /// Of the folder of external data; without one, what follows from the store's.
  var support: FilePermissions
  /// What each file of external data gives, and the store.
  var external: FilePermissions
  /// What each folder in the folder of external data gives.
  var externalFolders: FilePermissions

  /// The access without external data.
  init(store: FilePermissions) {
    (self.store, external) = (store, store)
    (support, externalFolders) = (store.ofFolder, store.ofFolder)
  }

  /// Gives the files of a result their access.
  func give(toContentOf folder: [UInt8]) throws(FileTrouble) {
    try store.give(toContentOf: folder, folders: support) { folder throws(FileTrouble) in
      try external.give(toContentOf: folder, folders: externalFolders)
    }
  }
}
