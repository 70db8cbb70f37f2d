internal import DecantExpressions
internal import DecantMigration
internal import DecantModel
internal import DecantRows
internal import DecantSQLite
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// A store that is open for reading, with the layout of its tables.
///
/// If a private copy of the store was made, it is removed when this object is released.
final class OpenedStore: Sendable {
  let store: SourceStore
  let layout: StoreLayout
  /// The connection that all contexts use; the store is attached to it as `source`.
  ///
  /// The connection keeps the file open: if the store is replaced later, contexts still read the old one.
  let connection: SQLiteDatabase
  private let scratch: PrivateFolder
  private let lock = NSRecursiveLock()

  /// The largest size in bytes of a store whose pages are checked for damage when it is opened.
  private static let mostChecked = 64 << 20

  /// - Parameters:
  ///   - model: The model, or the part of it that a configuration has.
  ///   - options: If `NSIgnorePersistentStoreVersioningOption` is set, version hashes may differ; the tables must fit.
  /// - Throws: `CoreDataError`; its code is `NSPersistentStoreIncompatibleVersionHashError` for a store of another
  ///   version.
  init(
    _ place: StorePlace, type: String, model: ManagedObjectModel, options: StoreOptions
  ) throws(CoreDataError) {
    (scratch, store, layout, connection) = try CoreDataError.of(place.path) {
      let scratch = try PrivateFolder()
      let size = (try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int) ?? 0
      var store = try SourceStore.open(
        place.path, scratch: scratch.path("copy"), checksPages: size <= Self.mostChecked)
      try StoreTypeCheck.run(store, type)
      if !options.ignoresVersion { try Self.check(store, model) }
      store = try store.filled(as: model, version: "the model", scratch: scratch.path("copy"))
      let layout = try store.layout(for: model, version: "the model", acceptsCloudKit: true)
      let connection = try store.connection(
        place.path, externalFolder: ExternalData(store: place.url).readableFiles, isShared: true)
      // The first statement opens the file.
      _ = try connection.integer("SELECT count(*) FROM source.sqlite_master")
      return (scratch, store, layout, connection)
    }
  }

  /// Runs a fetch.
  ///
  /// Only one fetch runs at a time, so that `now()` gives the time at which this fetch began.
  func fetching<Result>(_ work: () throws -> Result) throws -> Result {
    try lock.withLock {
      try ExpressionFunctions.register(in: connection, now: Date().timeIntervalSinceReferenceDate)
      return try work()
    }
  }

  private static func check(_ store: SourceStore, _ model: ManagedObjectModel) throws(CoreDataError) {
    guard let stored = store.metadata.versionHashes else {
      throw CoreDataError(StoreError.noVersionHashes(path: store.path, kind: store.kind))
    }
    let own = model.entityVersionHashes
    guard stored != own else { return }
    let lists = [
      ("entities with other version hashes", stored.keys.filter { own[$0] != nil && own[$0] != stored[$0] }),
      ("entities only in the store", stored.keys.filter { own[$0] == nil }),
      ("entities only in the model", own.keys.filter { stored[$0] == nil }),
    ]
    let words = lists.filter { !$1.isEmpty }.map { words, names in
      "\(words): \(names.sorted(by: NameOrder.codePoints).joined(separator: ", "))"
    }
    throw CoreDataError(
      NSPersistentStoreIncompatibleVersionHashError,
      "\(store.path) isn't a store of this model (\(words.joined(separator: "; "))). Migrate the store, or set "
        + "NSMigratePersistentStoresAutomaticallyOption.")
  }
}
