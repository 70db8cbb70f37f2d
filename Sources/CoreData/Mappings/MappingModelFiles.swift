internal import DecantMapping
internal import DecantModel
internal import Foundation

/// Reads mapping models of all three forms, and the models of the versions that a mapping model names.
enum MappingModelFiles {
  /// The mapping model of a file.
  ///
  /// A `.mapping.json5` and some `.xcmappingmodel` have no copies of their models. Such a file names two versions, and
  /// the models of these names are looked for in the file's folder.
  static func read(_ url: URL) throws -> MappingModel {
    let reading = try MappingModelReading.read(at: url)
    guard case .draft(let draft) = reading.content,
      draft.sourceModel == nil || draft.destinationModel == nil,
      let source = draft.sourceVersion, let destination = draft.destinationVersion
    else { return try reading.compiled() }
    let folder = url.deletingLastPathComponent()
    let models = ModelSearch.models(beside: url)
    return try reading.compiled(
      from: model(source, of: models, in: folder, for: url),
      to: model(destination, of: models, in: folder, for: url))
  }

  private static func model(
    _ name: String, of models: ModelSearch.Found<ModelBundle>, in folder: URL, for url: URL
  ) throws -> ManagedObjectModel {
    let found = NamedVersions.versions(named: name, of: models.items)
    guard let first = found.first else {
      throw CoreDataError(
        NSMigrationMissingSourceModelError,
        models.withProblems(
          "\(url.path) is a mapping model for “\(name)”, and no model in \(folder.path) has that name; put the models "
            + "into this folder, or use NSMappingModel(from:forSourceModel:destinationModel:)"))
    }
    guard found.allSatisfy({ $0.entityVersionHashes == first.entityVersionHashes }) else {
      throw CoreDataError(
        NSMigrationMissingSourceModelError,
        "\(url.path) is a mapping model for “\(name)”, and several models in \(folder.path) have that name; write the "
          + "name as BUNDLE#VERSION")
    }
    return first
  }
}
