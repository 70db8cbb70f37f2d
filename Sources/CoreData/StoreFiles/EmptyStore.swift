internal import DecantModel
internal import DecantStore
internal import Foundation

enum EmptyStore {
  /// Makes a store of a model as Core Data does, with a new UUID.
  ///
  /// - Parameter place: A place without a store.
  static func make(
    at place: StorePlace, model: ManagedObjectModel, usesWriteAheadLog: Bool
  ) throws(CoreDataError) {
    try CoreDataError.of(place.path) {
      let folder = try PrivateFolder(beside: place)
      let made = try StorePlace(
        try folder.makeFolder("made").appendingPathComponent(place.url.lastPathComponent))
      do {
        try write(model, to: made.path, usesWriteAheadLog: usesWriteAheadLog)
      } catch let error as LayoutError {
        throw CoreDataError(
          NSPersistentStoreOpenError, "No store of this model can be made at \(place.path): \(error).")
      }
      try StorePlacement.put(made, at: place, scratch: folder)
    }
  }

  /// The file is closed when this returns.
  private static func write(_ model: ManagedObjectModel, to path: String, usesWriteAheadLog: Bool) throws {
    let layout = try StoreLayout(model, framework: max(.current, .oldest(expressing: model)))
    let store = try DestinationStore(at: path, layout: layout)
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    let metadata = StoreMetadata(uuid: UUID().uuidString, entries: [:])
      .updated(for: model, framework: layout.framework)
    try store.finish(metadata: metadata, maxima: [:], usesWriteAheadLog: usesWriteAheadLog)
  }
}
