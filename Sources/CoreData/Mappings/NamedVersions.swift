internal import DecantMapping
internal import DecantModel
internal import DecantPolicies
internal import Foundation

/// Finds the versions that a mapping model names, if its file has no copies of their models.
struct NamedVersions {
  private let folders: [URL]
  /// The bundles in the folders; nil until a name is looked up for the first time.
  private var bundles: [ModelBundle]?

  init(_ folders: [URL]) { self.folders = folders }

  /// Whether the versions that a mapping model names are two given models.
  ///
  /// A model fits a name if a version of that name in the folders has the same version hashes. If the folders have no
  /// such version, the name, without `BUNDLE#`, is compared with that of the model's file, without its extension. A
  /// model that wasn't read from a file then fits every name.
  ///
  /// - Returns: true also if the mapping model names no versions, or has copies of its models.
  mutating func names(
    of reading: MappingModelReading, mean source: ModelDescription, _ destination: ModelDescription
  ) -> Bool {
    guard case .draft(let draft) = reading.content else { return true }
    return (draft.sourceModel != nil || means(draft.sourceVersion, source))
      && (draft.destinationModel != nil || means(draft.destinationVersion, destination))
  }

  private mutating func means(_ name: String?, _ model: ModelDescription) -> Bool {
    guard let name else { return true }
    let named = versions(named: name)
    if !named.isEmpty { return named.contains { $0.entityVersionHashes == model.model.entityVersionHashes } }
    guard let file = model.file else { return true }
    return Self.version(name) == file.deletingPathExtension().lastPathComponent
  }

  private mutating func versions(named name: String) -> [ManagedObjectModel] {
    if let bundles { return Self.versions(named: name, of: bundles) }
    let found = ModelSearch.models(in: folders)
    // One of the models that can't be read may be the version that is meant.
    for problem in found.problems {
      LogLine.write("NSMappingModel(from:forSourceModel:destinationModel:): \(problem)")
    }
    let known = found.items
    bundles = known
    return Self.versions(named: name, of: known)
  }

  /// - Parameter name: `VERSION` or `BUNDLE#VERSION`.
  static func versions(named name: String, of bundles: [ModelBundle]) -> [ManagedObjectModel] {
    let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
    return bundles.filter { parts.count < 2 || $0.name == parts[0] }
      .compactMap { try? $0.version(named: version(name)).model }
  }

  private static func version(_ name: String) -> String {
    name.split(separator: "#", maxSplits: 1).last.map(String.init) ?? name
  }
}
