internal import DecantMapping
package import DecantModel
internal import Foundation

extension Family {
  /// A family of models in memory, without a folder.
  ///
  /// The last model is the current one.
  package init(named name: String, models: [(name: String, model: ManagedObjectModel)]) {
    let versions = models.enumerated().compactMap { index, entry in
      FamilyVersion(
        index: index, hashes: entry.model.entityVersionHashes,
        variants: [
          .init(name: entry.name, bundle: name, version: entry.name, path: entry.name, model: entry.model)
        ], chosen: 0)
    }
    self.init(
      name: name, place: FamilyPlace(URL(fileURLWithPath: "/")), configuration: FamilyConfiguration(),
      versions: versions, mappingModels: [], referenceStores: [], warnings: [],
      currentVersionName: versions.last?.name, currentVersionNames: [:], singleBundles: [],
      missingCurrentNames: [:], renameHistory: RenameHistory(of: models.map(\.model)))
  }
}
