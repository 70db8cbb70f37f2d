public import DecantMigration
internal import DecantStore
internal import DecantXMLStore
public import Foundation
internal import KeyedArchive

/// What tools ask of stores before they migrate; stores aren't opened for work here.
public final class NSPersistentStoreCoordinator: NSObject {
  public let managedObjectModel: ModelDescription

  public init(managedObjectModel model: ModelDescription) { managedObjectModel = model }

  /// What a store says about itself: its UUID, type, version hashes, and the application's own keys.
  ///
  /// Nothing beside the store is written.
  ///
  /// - Parameter type: nil or the store's type; another type's name is an error.
  /// - Throws: `CoreDataError`.
  public static func metadataForPersistentStore(
    ofType type: String?, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("decant-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let store: SourceStore
    do throws(StoreError) {
      store = try SourceStore.open(url.path, scratch: scratch.path, checksPages: false)
    } catch {
      throw CoreDataError(NSPersistentStoreOpenError, error.description)
    }
    if let type, type != store.kind.name {
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError, "\(url.path) is a store of type \(store.kind.name), not \(type).")
    }
    var result = store.metadata.entries.compactMapValues(any)
    result[NSStoreUUIDKey] = store.metadata.uuid
    result[NSStoreTypeKey] = store.kind.name
    return result
  }

  private static func any(_ list: PropertyList) -> Any? {
    switch list {
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .unsigned(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .single(let number): NSNumber(value: number)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .string(let text): text
    case .array(let elements): elements.compactMap(any)
    case .dictionary(let entries): entries.compactMapValues(any)
    case .uid, .null: nil
    }
  }
}
