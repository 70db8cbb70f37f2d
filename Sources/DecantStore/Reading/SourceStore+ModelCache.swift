package import DecantModel
internal import DecantSQLite
package import Foundation

extension SourceStore {
  /// The store's own model in `Z_MODELCACHE` (docs/formats/model-files.md 4.1); `nil` if it has none.
  ///
  /// - Throws: `ModelError` if the cache can't be read, or isn't of the version in the metadata.
  package func cachedModel() throws(ModelError) -> ModelReading? { try ownModelCache()?.reading }

  /// The store's own model as `cachedModel` gives it, together with the bytes of the row.
  package func ownModelCache() throws(ModelError) -> (content: Data, reading: ModelReading)? {
    guard let cache = try modelCacheContent() else { return nil }
    let names = differingEntities(of: cache.reading.model)
    guard names.isEmpty else {
      throw .badModelCache(
        reason: "it is of another version than the metadata states; these entities differ: "
          + names.joined(separator: ", "))
    }
    return cache
  }

  /// The entities whose version hashes in the metadata and in a model differ; empty if the metadata have no hashes.
  package func differingEntities(of model: ManagedObjectModel) -> [String] {
    guard let hashes = metadata.versionHashes else { return [] }
    let own = model.entityVersionHashes
    return Set(hashes.keys).union(own.keys).filter { hashes[$0] != own[$0] }.sorted(by: NameOrder.codePoints)
  }

  /// The model in `Z_MODELCACHE`, of any version; `nil` if the store has none.
  ///
  /// - Throws: `ModelError` if the cache can't be read.
  package func modelCache() throws(ModelError) -> ModelReading? { try modelCacheContent()?.reading }

  /// Whether `Z_MODELCACHE` has content, valid or not; also true if it has several rows or can't be read.
  package var keepsModelCache: Bool {
    guard schema.tables["Z_MODELCACHE"] != nil else { return false }
    guard let row = try? rows("SELECT count(*), count(Z_CONTENT) FROM Z_MODELCACHE").first else { return true }
    return row[0] != .integer(0) && row[0] != .integer(1) || row[1] != .integer(0)
  }

  private func modelCacheContent() throws(ModelError) -> (content: Data, reading: ModelReading)? {
    guard schema.tables["Z_MODELCACHE"] != nil else { return nil }
    let rows: [[SQLiteValue]]
    do {
      rows = try self.rows(
        "SELECT CASE WHEN length(Z_CONTENT) <= \(ModelCache.maximumContent) THEN Z_CONTENT ELSE 0 END, "
          + "Z_CONTENT IS NULL FROM Z_MODELCACHE LIMIT 2")
    } catch {
      throw .badModelCache(reason: error.description)
    }
    guard rows.count < 2 else { throw .badModelCache(reason: "it has several rows") }
    guard let row = rows.first, row.count == 2, row[1] == .integer(0) else { return nil }
    guard case .blob(let bytes) = row[0] else {
      throw .badModelCache(
        reason: "its content isn't a blob, or is larger than \(ModelCache.maximumContent >> 20) MB")
    }
    let content = Data(bytes)
    return (content, try ModelCache.read(content))
  }
}
