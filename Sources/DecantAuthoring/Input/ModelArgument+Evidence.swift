package import DecantConsole
internal import DecantModel
package import DecantStore

extension ModelArgument {
  /// The tables of a store of exactly this version, which settle names that aren't known for certain.
  ///
  /// - Parameter path: The store; `nil` for the store that the model was read from.
  /// - Returns: `nil` if `path` is nil and the model wasn't read from a store.
  package func evidence(_ path: String?) throws(CommandFailure) -> SchemaEvidence? {
    guard let path else { return self.store?.source.schema }
    let store = try OpenedStore(path)
    guard store.source.metadata.versionHashes == model.entityVersionHashes else {
      throw CommandFailure(
        .badData, "\(path) is not a store of \(text): the version hashes differ.",
        advice: "Name a store of exactly this model version.")
    }
    return store.source.schema
  }
}
