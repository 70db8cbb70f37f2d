public import Foundation

extension ModelCache {
  /// The content of a store's cache for a compiled model: the file's bytes as a raw deflate stream.
  ///
  /// A `.mom` is the same archive as in a cache, except for the copies of inherited properties
  /// (docs/formats/model-files.md 4.1). The returned content has been read again as a check.
  ///
  /// - Parameter file: A `.mom`.
  /// - Throws: `ModelError.inFile` if the file can't be read, is too large for a cache, or isn't a compiled model.
  public static func content(
    ofCompiledModelAt file: URL
  ) throws(ModelError) -> (content: Data, model: ManagedObjectModel) {
    try ModelFile.inFile(file) { () throws(ModelError) in
      let archive = try ModelFile.read(file)
      guard archive.count <= maximumBytes, let content = RawDeflate.deflate(archive),
        content.count <= maximumContent
      else {
        throw .unreadable(
          reason: "it has \(archive.count) bytes, more than a store keeps of its model")
      }
      return (content, try read(content).model)
    }
  }
}
