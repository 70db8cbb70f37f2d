internal import DecantModel
public import DecantPolicies
public import Foundation

/// A model and the checksum that it must have, for the stages of a migration.
public final class NSManagedObjectModelReference: NSObject {
  private enum Place {
    case model(ModelDescription)
    case file(URL)
    case name(String, Bundle?)
    case hashes(EntityVersionHashes?, Bundle?)
  }

  private let place: Place
  private var found: ModelDescription?
  /// The `versionChecksum` that the model must have.
  public let versionChecksum: String

  public init(model: ModelDescription, versionChecksum: String) {
    place = .model(model)
    self.versionChecksum = versionChecksum
  }

  public init(fileURL: URL, versionChecksum: String) {
    place = .file(fileURL)
    self.versionChecksum = versionChecksum
  }

  /// - Parameters:
  ///   - modelName: The name of a model version in the bundle, with or without its extension.
  ///   - bundle: nil for the main bundle.
  public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    place = .name(modelName, bundle)
    self.versionChecksum = versionChecksum
  }

  /// - Parameters:
  ///   - versionHash: The version hashes of the model's entities, by name.
  ///   - bundle: nil for the main bundle.
  public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String)
  {
    let entries = versionHash.compactMap { key, value in (key as? String).map { ($0, value) } }
    let hashes = StoreHashes(
      [NSStoreModelVersionHashesKey: Dictionary(entries, uniquingKeysWith: { first, _ in first })])
    place = .hashes(entries.count == versionHash.count ? hashes?.hashes : nil, bundle)
    self.versionChecksum = versionChecksum
  }

  /// The model.
  ///
  /// If the model can't be found or has another checksum, Apple raises an exception. Here the result is then a model
  /// without entities, and a migration with it fails. A line on standard error gives the reason.
  public var resolvedModel: ModelDescription {
    do {
      return try resolved()
    } catch {
      LogLine.write("\(error)")
      return ModelDescription()
    }
  }

  /// The model.
  ///
  /// - Throws: `CoreDataError` if the model can't be found or read, or has another checksum.
  public func resolved() throws -> ModelDescription {
    if let found { return found }
    let model = try search()
    guard model.versionChecksum == versionChecksum else {
      throw CoreDataError(
        NSMigrationMissingSourceModelError,
        "\(words) has the checksum \(model.versionChecksum), and the stage says \(versionChecksum). Either the model "
          + "was changed after the stage was written, or the stage means another model.")
    }
    found = model
    return model
  }

  private func search() throws -> ModelDescription {
    let missing: String
    switch place {
    case .model(let model): return model
    case .file(let url): return try ModelDescription.model(at: url)
    case .name(let name, let bundle):
      let found = ModelSearch.models(in: folders(bundle))
      let versions = found.items.compactMap { try? $0.version(named: name) }
      if let fitting = versions.first(where: { $0.model.entityVersionHashes.checksum == versionChecksum })
        ?? versions.first
      {
        return ModelDescription(fitting)
      }
      missing = found.withProblems("\(words) isn't in the bundle")
    case .hashes(let hashes?, let bundle):
      let found = ModelSearch.models(in: folders(bundle), with: hashes)
      if found.items.count == 1 { return ModelDescription(found.items[0]) }
      missing = found.withProblems("\(words) isn't in the bundle")
    case .hashes(nil, _):
      throw CoreDataError(
        NSMigrationMissingSourceModelError,
        "The version hashes of a stage must be 32 bytes for each entity's name.")
    }
    throw CoreDataError(NSMigrationMissingSourceModelError, missing)
  }

  private func folders(_ bundle: Bundle?) -> [URL] { ModelSearch.folders(of: bundle.map { [$0] }) }

  private var words: String {
    switch place {
    case .model: "The model of a stage"
    case .file(let url): "The model \(url.path) of a stage"
    case .name(let name, _): "The model “\(name)” of a stage"
    case .hashes: "The model of a stage with the given version hashes"
    }
  }
}
