internal import DecantPolicies
public import Foundation

extension NSPersistentStoreCoordinator {
  /// Writes a store to another file and opens that file; the coordinator then has the new store instead of the old one.
  ///
  /// The files of the old store stay as they are. An XML store can become an SQLite store.
  ///
  /// - Throws: `CoreDataError`, also if a file is at the URL already. Then the coordinator still has the old store.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }), let url = store.url else {
      throw CoreDataError(
        NSCoreDataError, "\(store.url?.path ?? "The store") isn't a store of this coordinator. Add it first.")
    }
    let (source, destination) = (try StorePlace(url), try StorePlace(storeURL))
    guard !source.isSame(as: destination) else {
      throw CoreDataError(
        NSPersistentStoreSaveError, "\(destination.path) is the store itself. Choose another URL.")
    }
    guard try destination.content() != .file else {
      throw CoreDataError(
        NSPersistentStoreSaveError,
        "\(destination.path) is there already. Destroy it first, or use replacePersistentStore.")
    }
    switch (store.type, storeType) {
    case (NSXMLStoreType, NSSQLiteStoreType): try convert(store, to: destination)
    case (let own, let wanted) where own == wanted:
      try Self.copy(source, to: destination, type: storeType)
    default:
      try StoreTypeCheck.run(storeType)
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError,
        "\(source.path) can't become a store of type \(storeType). Only SQLite stores can be written.")
    }
    let configuration =
      store.configurationName == NSPersistentStore.defaultConfiguration ? nil : store.configurationName
    try remove(store)
    do {
      return try addPersistentStore(
        ofType: storeType, configurationName: configuration, at: destination.url, options: options)
    } catch {
      add(store)
      throw error
    }
  }

  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// Converts an XML store to SQLite; its version stays.
  private func convert(_ store: NSPersistentStore, to destination: StorePlace) throws {
    let model = ModelDescription(store.opened.layout.model)
    let folder = try PrivateFolder(beside: destination)
    let result = try CoreDataError.of(destination.path) {
      try StorePlace(
        try folder.makeFolder("converted").appendingPathComponent(destination.url.lastPathComponent))
    }
    let manager = MigrationManager(sourceModel: model, destinationModel: model)
    try manager.migrateStore(
      from: url(for: store), sourceType: NSXMLStoreType,
      with: try MigrationMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model),
      toDestinationURL: result.url, destinationType: NSSQLiteStoreType)
    try StorePlacement.put(result, at: destination, scratch: folder)
  }
}
