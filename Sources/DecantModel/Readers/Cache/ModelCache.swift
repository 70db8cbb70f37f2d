public import Foundation

/// An SQLite store's copy of its model (`Z_MODELCACHE.Z_CONTENT`, docs/formats/model-files.md 4.1).
public enum ModelCache {
  /// The largest inflated size that is accepted, in bytes; the largest genuine cache seen is below 1 MB.
  static let maximumBytes = 32 << 20
  /// The largest content that is read from a store, in bytes.
  package static let maximumContent = 16 << 20

  /// Reads a store's model from the content of its cache: a raw deflate stream of a compiled model.
  ///
  /// The caller must check by the version hashes that the model is the store's current one.
  ///
  /// - Throws: `ModelError.badModelCache` if the content is empty or can't be inflated, or if `CompiledModelReader`
  ///   can't read the model.
  public static func read(_ content: Data) throws(ModelError) -> ModelReading {
    guard !content.isEmpty else { throw .badModelCache(reason: "it is empty") }
    let inflated: (content: Data, surplus: Int)
    do {
      inflated = try RawDeflate.inflate(content, limit: maximumBytes)
    } catch {
      let reason =
        switch error {
        case .damaged: "it isn't a deflate stream, or it is damaged"
        case .truncated: "its deflate stream ends too early"
        case .tooLarge: "it inflates to more than \(maximumBytes >> 20) MB"
        }
      throw .badModelCache(reason: reason)
    }
    let reading: ModelReading
    do {
      reading = try CompiledModelReader.read(inflated.content, isStoresOwn: true)
    } catch {
      throw .badModelCache(reason: error.description)
    }
    guard inflated.surplus > 0 else { return reading }
    return ModelReading(
      model: reading.model,
      warnings: reading.warnings + [
        "\(counted(inflated.surplus, "byte")) after the end of the model cache \(inflated.surplus == 1 ? "is" : "are") ignored"
      ])
  }
}
