public import Foundation

extension NSPersistentStoreCoordinator {
  /// A store's metadata: its UUID, type, version hashes, and the application's own keys.
  ///
  /// Nothing is written beside the store.
  ///
  /// - Parameter type: The expected type; nil accepts every type. A store of another type is an error.
  /// - Throws: `CoreDataError`.
  public static func metadataForPersistentStore(
    ofType type: String?, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try MetadataFile.read(try StorePlace(url), type: type)
  }

  public static func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  public static func metadataForPersistentStore(at url: URL) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: nil, at: url)
  }

  /// Writes the application's metadata into a store's file.
  ///
  /// All keys of the application are replaced. The framework's keys, such as the version hashes, stay if the
  /// dictionary doesn't have them. The store gets another UUID if the dictionary has one.
  ///
  /// - Parameter metadata: Texts, numbers, dates, data, arrays and dictionaries; nil removes the application's keys.
  /// - Throws: `CoreDataError`. Then the store is unchanged, except if the metadata were written and only the log
  ///   couldn't be emptied.
  public static func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType type: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try MetadataFile.write(metadata ?? [:], try StorePlace(url), type: type)
  }

  public static func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  /// The metadata of a store that is open.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets the metadata of a store that is open; the next `save()` of a context writes them to the file.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }
}
