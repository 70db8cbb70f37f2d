internal import DecantMapping
package import DecantModel
package import Foundation

extension Family {
  /// A family of models in memory.
  ///
  /// The last model is the current one.
  ///
  /// - Parameters:
  ///   - models: The models, each with the file from which it was read; `nil` for a model without a file.
  ///   - folder: The folder in which policy programs run. No models, mapping models or settings are read from it.
  ///   - referenceStores: The genuine stores that the program names.
  package init(
    named name: String, models: [(name: String, model: ManagedObjectModel, file: URL?)],
    folder: URL, referenceStores: [URL]
  ) {
    let versions = models.enumerated().compactMap { index, entry in
      FamilyVersion(
        index: index, hashes: entry.model.entityVersionHashes,
        variants: [
          .init(
            name: entry.name, bundle: name, version: entry.name, path: entry.file?.path ?? entry.name,
            model: entry.model)
        ], chosen: 0)
    }
    self.init(
      name: name, place: FamilyPlace(folder), configuration: FamilyConfiguration(),
      versions: versions, mappingModels: [], referenceStores: referenceStores, warnings: [],
      currentVersionName: versions.last?.name, currentVersionNames: [:], singleBundles: [],
      missingCurrentNames: [:], renameHistory: RenameHistory(of: models.map(\.model)))
    isInMemory = true
  }

  /// The place of the family's reference stores, for a sentence.
  package var referencePlace: String {
    isInMemory ? "the manager's “referenceStores”" : "\(folder.path)/reference"
  }

  /// The advice to add a genuine store of a version as a reference store, for facts that the rules leave open.
  ///
  /// The advice is the beginning of a sentence, without a full stop.
  package func adviceToGiveReference(of version: FamilyVersion) -> String {
    isInMemory
      ? "Put the path of a genuine store of the \(version.name) into \(referencePlace)"
      : "Put a genuine store of version “\(version.name)” into \(referencePlace)"
  }
}
