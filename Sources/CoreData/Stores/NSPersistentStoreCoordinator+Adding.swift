internal import DecantModel
public import Foundation

extension NSPersistentStoreCoordinator {
  /// Opens a store for reading.
  ///
  /// If there is no file at the URL, or only an empty one, a store of the model without objects is made. If the options
  /// ask for a store that is only read, this is an error instead.
  ///
  /// If the store has another version and `NSMigratePersistentStoresAutomaticallyOption` is set, it is first migrated
  /// in its place. If the process is killed, the file is the old store or the new one. The mapping model is searched
  /// for in `modelFolders`, in the bundle of the coordinator's model, and in the main bundle. If none is found and
  /// `NSInferMappingModelAutomaticallyOption` is set, the mapping is inferred. If the options have a staged migration
  /// manager, its stages are carried out instead.
  ///
  /// If `NSSQLitePragmasOption` has the pragma `journal_mode` with another value than `WAL`, the content of a `-wal` is
  /// first written into the file. This isn't done for a store that is only read. Apps ask for this before they copy a
  /// store.
  ///
  /// - Parameter configuration: A configuration of the model; nil for all entities.
  /// - Throws: `CoreDataError`. Its code is `NSPersistentStoreIncompatibleVersionHashError` for a store of another
  ///   version; the message names the entities. Its code is `NSPersistentStoreInvalidTypeError` for a store of another
  ///   type, and for binary and in-memory stores. If a migration is cancelled by a policy, the policy's error is
  ///   thrown.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try StoreTypeCheck.run(storeType)
    let place = try StorePlace(storeURL)
    let wishes = StoreOptions(options)
    let model = try part(of: configuration)
    if let known = persistentStore(for: place.url) {
      throw CoreDataError(
        NSPersistentStoreOpenError, "\(known.url?.path ?? "") is a store of this coordinator already.")
    }
    if try place.content() != .file { try make(place, storeType, model, wishes) }
    if wishes.usesWriteAheadLog == false, !wishes.isReadOnly { try JournalMode.endLog(of: place) }
    let opened: OpenedStore
    do {
      opened = try OpenedStore(place, type: storeType, model: model, options: wishes)
    } catch {
      guard error.code == NSPersistentStoreIncompatibleVersionHashError, wishes.migrates else { throw error }
      guard !wishes.isReadOnly else {
        throw CoreDataError(
          error.code,
          "\(error.message) It can't be migrated, because \(NSReadOnlyPersistentStoreOption) is set.")
      }
      try StoreUpgrade(
        place: place, model: model, configuration: configuration,
        folders: [modelFolders + bundleOfModel, ModelSearch.folders(of: nil)], registry: registry
      ).run(infers: wishes.infersMapping, stages: wishes.stages)
      opened = try OpenedStore(place, type: storeType, model: model, options: wishes)
    }
    let uuid = opened.store.metadata.uuid
    if let twin = persistentStores.first(where: { $0.identifier == uuid }) {
      throw CoreDataError(
        NSPersistentStoreOpenError,
        "\(place.path) and \(twin.url?.path ?? "") have one UUID, so one coordinator can't have both. Use another "
          + "coordinator for the copy.")
    }
    let store = NSPersistentStore(opened, url: place.url, configuration: configuration, options: options)
    add(store)
    return store
  }

  @discardableResult
  public func addPersistentStore(
    type storeType: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: storeType.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Opens the store of a description, at once.
  ///
  /// - Parameter block: Called on this thread with the error; the error is nil if the store was opened.
  public func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    do {
      try addPersistentStore(
        ofType: description.type, configurationName: description.configuration, at: description.url,
        options: description.allOptions)
    } catch {
      return block(description, error)
    }
    block(description, nil)
  }

  /// The bundle from which the model was read, which also has the other versions; empty if there is no bundle.
  private var bundleOfModel: [URL] {
    guard let folder = managedObjectModel.file?.deletingLastPathComponent() else { return [] }
    return ["momd", "xcdatamodeld"].contains(folder.pathExtension) ? [folder] : []
  }

  /// The part of the model that a configuration has; the whole model for nil and the default configuration.
  private func part(of configuration: String?) throws(CoreDataError) -> ManagedObjectModel {
    let model = managedObjectModel.model
    guard let configuration, configuration != NSPersistentStore.defaultConfiguration else { return model }
    do throws(ModelError) {
      if let part = try model.configured(configuration) { return part }
    } catch {
      throw CoreDataError(
        NSCoreDataError, "The model's configuration “\(configuration)” can't be used: \(error)")
    }
    let names = model.configurations.map { "“\($0.name)”" }.joined(separator: ", ")
    throw CoreDataError(
      NSCoreDataError,
      "The model has no configuration “\(configuration)”. It has \(names.isEmpty ? "none" : names).")
  }

  private func make(
    _ place: StorePlace, _ type: String, _ model: ManagedObjectModel, _ wishes: StoreOptions
  ) throws(CoreDataError) {
    guard !wishes.isReadOnly else {
      throw CoreDataError(
        CocoaError.fileReadNoSuchFile.rawValue,
        "There is no store at \(place.path), and \(NSReadOnlyPersistentStoreOption) is set. Check the path.")
    }
    guard type == NSSQLiteStoreType else {
      throw CoreDataError(
        CocoaError.fileReadNoSuchFile.rawValue,
        "There is no store at \(place.path), and only SQLite stores can be made. Check the path.")
    }
    try EmptyStore.make(at: place, model: model, usesWriteAheadLog: wishes.usesWriteAheadLog ?? true)
  }
}
