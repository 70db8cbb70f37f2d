public import Foundation

extension ModelCache {
  /// The content that a store's cache has for a compiled model: the file's bytes as a raw deflate stream.
  ///
  /// A `.mom` is the archive that a cache holds too, but for the copies of inherited properties
  /// (docs/formats/model-files.md 4.1). What is given back has been read once more from the very content.
  ///
  /// - Parameter file: A `.mom`.
  /// - Throws: `ModelError.inFile` where it can't be read, or is larger than what is ever read from a cache.
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
