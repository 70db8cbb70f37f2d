public import DecantModel
public import Foundation
internal import KeyedArchive

/// The SQL of a store that has only metadata and a model cache.
public enum CachingStore {
  /// The statements for a store of that model.
  ///
  /// The model cache holds the model, or `cache` if that is given.
  public static func statements(_ model: ManagedObjectModel, cache: Data? = nil) -> [String] {
    let metadata = PropertyList.dictionary([
      "NSPersistenceFrameworkVersion": .integer(1344), "NSStoreType": .string("SQLite"),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashes": .dictionary(model.entityVersionHashes.mapValues { .data($0.data) }),
    ])
    let content =
      cache ?? DeflateWriter.stored(CompiledModelWriter.data(model, as: .cacheWithCopies))
    return [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      "INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', \(blob(metadata.binaryData())))",
      "INSERT INTO Z_MODELCACHE VALUES (\(blob(content)))",
    ]
  }

  /// Bytes as an SQL literal.
  public static func blob(_ data: Data) -> String {
    "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
  }
}
