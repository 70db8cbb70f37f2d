internal import DecantModel
internal import DecantPolicies
internal import DecantStore
internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

/// Converts a store's metadata to the dictionary that Core Data gives, and back.
enum MetadataDictionary {
  /// The framework's keys; their values are kept unless the application sets them.
  private static let own = [
    StoreMetadata.Key.hashes, StoreMetadata.Key.hashesVersion, StoreMetadata.Key.identifiers,
    StoreMetadata.Key.framework, StoreMetadata.Key.digest, StoreMetadata.Key.checksum,
    StoreMetadata.Key.storeType, StoreMetadata.Key.autoVacuum,
  ]

  static func make(_ metadata: StoreMetadata, type: String) -> [String: Any] {
    var result = metadata.entries.compactMapValues(any)
    result[NSStoreUUIDKey] = metadata.uuid
    result[NSStoreTypeKey] = type
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

  /// The metadata of a store after an application has set the metadata to `dictionary`.
  ///
  /// Keys of the framework that aren't in the dictionary stay. All other keys are those of the dictionary. The type in
  /// the dictionary is ignored.
  static func applying(_ dictionary: [String: Any], to metadata: StoreMetadata) throws(CoreDataError)
    -> StoreMetadata
  {
    var result = metadata
    result.entries = metadata.entries.filter { own.contains($0.key) }
    for (key, value) in dictionary where key != NSStoreUUIDKey && key != NSStoreTypeKey {
      result.entries[key] = try list(value, key)
    }
    if let given = dictionary[NSStoreUUIDKey] {
      guard let text = given as? String, UUID(uuidString: text) != nil else {
        throw CoreDataError(NSCoreDataError, "\(NSStoreUUIDKey) takes a UUID as text; it was given \(given).")
      }
      result.uuid = text
    }
    guard let hashes = result.versionHashes else {
      throw CoreDataError(
        NSCoreDataError,
        "\(NSStoreModelVersionHashesKey) takes a dictionary with 32 bytes for each entity's name. Leave the key out to "
          + "keep the store's hashes.")
    }
    if hashes != metadata.versionHashes {
      if result.entries[StoreMetadata.Key.digest] != nil {
        result.entries[StoreMetadata.Key.digest] = .string(hashes.digest)
      }
      if result.entries[StoreMetadata.Key.checksum] != nil {
        result.entries[StoreMetadata.Key.checksum] = .string(hashes.checksum)
      }
    }
    return result
  }

  private static func list(_ any: Any, _ key: String) throws(CoreDataError) -> PropertyList {
    if let entries = any as? [String: Any] {
      var lists: [String: PropertyList] = [:]
      for (name, value) in entries { lists[name] = try list(value, key) }
      return .dictionary(lists)
    }
    if let members = any as? [Any] {
      var lists: [PropertyList] = []
      for member in members { lists.append(try list(member, key)) }
      return .array(lists)
    }
    switch EngineValue.value(of: any) {
    case .boolean(let flag)?: return .boolean(flag)
    case .integer(let number)?: return .integer(number)
    case .double(let number)?: return .real(number)
    case .string(let text)?: return .string(text)
    case .data(let bytes)?: return .data(bytes)
    case .date(let seconds)?: return .date(seconds)
    default:
      throw CoreDataError(
        NSCoreDataError,
        "Metadata can't hold the value of “\(key)”, which is of type \(type(of: any)). Metadata can hold texts, "
          + "numbers, dates, data, arrays and dictionaries.")
    }
  }
}
