internal import DecantModel
package import DecantStore

extension Catalogue {
  /// Finds the family and version of a store.
  ///
  /// The store's own model is read only if the hashes don't decide.
  ///
  /// - Parameter family: Only this family is searched; `nil` for all.
  package func recognise(_ store: SourceStore, family: String? = nil) -> Recognition {
    recognise(
      store.metadata.versionHashes ?? [:], identifiers: store.metadata.versionIdentifiers, family: family
    ) {
      do throws(ModelError) {
        return try store.cachedModel().map { .model($0.model) } ?? .absent
      } catch {
        if case .badModelCache(let reason) = error { return .unusable(reason: reason) }
        return .unusable(reason: "\(error)")
      }
    }
  }
}
