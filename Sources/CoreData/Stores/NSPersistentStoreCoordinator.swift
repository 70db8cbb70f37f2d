public import DecantPolicies
internal import DecantStore
internal import DecantXMLStore
public import Foundation
internal import KeyedArchive

/// Reads stores' metadata before a migration; it doesn't open stores for work.
public final class NSPersistentStoreCoordinator: NSObject {
  public let managedObjectModel: ModelDescription

  public init(managedObjectModel model: ModelDescription) { managedObjectModel = model }

  /// A store's metadata: its UUID, type, version hashes, and the application's own keys.
  ///
  /// Nothing is written beside the store.
  ///
  /// - Parameter type: nil or the store's type. Another type is an error.
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
