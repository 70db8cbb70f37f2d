public import DecantPolicies
public import Foundation

extension NSPersistentStoreCoordinator {
  /// Replaces a store by a copy of another one, with its external data.
  ///
  /// The copy has the content of the source's `-wal` or journal. The source isn't changed. If the process is
  /// killed, the destination is the old store or the new one. The destination needn't exist.
  ///
  /// - Throws: `CoreDataError` for a source that is missing, damaged or of another type, and if both are the same file.
  ///   Then the destination's content is as before. After the copy is in place, a failed sync of the folder, or old
  ///   external data that can't be removed, also throws. Then the destination is the copy.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    try Self.copy(try StorePlace(sourceURL), to: try StorePlace(destinationURL), type: storeType)
  }

  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: storeType.rawValue)
  }

  static func copy(_ source: StorePlace, to destination: StorePlace, type: String) throws(CoreDataError) {
    try StoreTypeCheck.run(type)
    guard !source.isSame(as: destination) else {
      throw CoreDataError(
        NSPersistentStoreOpenError,
        "\(source.path) and \(destination.path) are one file. Name another destination.")
    }
    _ = try destination.content()
    try CoreDataError.of(destination.path) {
      let folder = try PrivateFolder(beside: destination)
      let copy = try StoreSnapshot.make(
        of: source, type: type, named: destination.url.lastPathComponent, in: folder)
      try StorePlacement.put(copy.place, at: destination, scratch: folder)
    }
  }

  /// Removes a store's files: the file, `-wal`, `-shm`, `-journal` and the folder of external data.
  ///
  /// If there is nothing at the URL, the call does nothing. Afterwards there is no file at the URL. Apple's call leaves
  /// an empty file.
  ///
  /// - Throws: `CoreDataError` for a file that isn't a store, for a store of another type, and if a file can't be
  ///   removed.
  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreDestruction.run(try StorePlace(url), type: storeType)
  }

  public func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  // MARK: Identities

  /// The ID of the object that a URI names (`x-coredata://STORE/Entity/pKEY`).
  ///
  /// - Returns: nil if no store of the coordinator has that UUID, or if the model or the store has no such entity. The
  ///   object needn't exist.
  public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
    guard url.scheme == "x-coredata", let host = url.host else { return nil }
    let parts = url.path.split(separator: "/")
    guard parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()), key > 0,
      let store = persistentStores.first(where: {
        $0.identifier.utf8.elementsEqual(host.utf8) || $0.identifier.lowercased() == host.lowercased()
      }), let entity = managedObjectModel.entitiesByName[String(parts[0])],
      store.opened.layout.entityNumbers[String(parts[0])] != nil
    else { return nil }
    return ManagedObjectID(entity: entity, key: key, store: store.identifier)
  }
}
