package import DecantModel
package import DecantStore

extension SourceStore {
  /// Opens a store of either kind to read its metadata; the objects of an XML store aren't read yet.
  ///
  /// - Parameters:
  ///   - scratch: A folder for private copies, made when needed.
  ///   - checksPages: As in `SourceStore.init`; not used for an XML store.
  ///   - isCheckedBeside: As in `SourceStore.init`; not used for an XML store.
  ///   - schemas: As in `SourceStore.init`; not used for an XML store.
  ///   - observer: Called about once a second while a statement runs or an XML store is read; false ends the work.
  package static func open(
    _ path: String, scratch: String, checksPages: Bool = true, isCheckedBeside: Bool = false,
    schemas: StoreSchemas? = nil, observer: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) -> SourceStore {
    do {
      return try SourceStore(
        path, scratch: scratch, checksPages: checksPages, isCheckedBeside: isCheckedBeside, schemas: schemas,
        observer: observer)
    } catch {
      guard case .xmlStore = error else { throw error }
      return try XMLStore.outline(path, scratch: scratch, observer: observer)
    }
  }

  /// The store with all its objects: an SQLite store itself, or a private SQLite store made from an XML store.
  ///
  /// In a store made from an XML store, the keys are the numbers of the file's ids. The high-water mark of every root
  /// entity is the larger one of the file's last number and the largest key. The targets of an ordered relationship
  /// have the order of their ids in the file.
  ///
  /// - Parameters:
  ///   - model: The store's own model version.
  ///   - version: The version's name, for messages.
  ///   - scratch: A folder for the private store.
  ///   - observer: Called about once a second; false cancels the reading.
  /// - Throws: `StoreError`, such as `xmlContent` with object, entity and property, or `damagedXML`.
  package func filled(
    as model: ManagedObjectModel, version: String, scratch: String, observer: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) -> SourceStore {
    guard kind == .xml else { return self }
    return try XMLStore.filled(path, model: model, version: version, scratch: scratch, observer: observer)
  }
}
