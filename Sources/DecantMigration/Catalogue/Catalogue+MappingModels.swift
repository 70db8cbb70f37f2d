public import DecantMapping
internal import DecantModel
internal import Foundation

/// The two versions of a family that a mapping model is for.
public struct MappingModelVersions: Sendable {
  public let family: Family
  public let source: FamilyVersion
  public let destination: FamilyVersion
}

extension Catalogue {
  /// The versions that a file is for: those of the family whose folder holds it, else those of the only family that
  /// has such a pair.
  public func versions(for file: MappingModelFile) -> MappingModelVersions? {
    let path = URL(fileURLWithPath: file.path).standardizedFileURL.path
    var found: [MappingModelVersions] = []
    for family in families {
      let own = family.mappingModels.first {
        URL(fileURLWithPath: $0.file.path).standardizedFileURL.path == path
      }
      var warnings: [String] = []
      let resolver = MappingPairResolver(
        versions: family.versions, order: [], staleHashes: family.configuration.acceptStaleHashes)
      guard let model = own ?? (try? resolver.resolve([file], warnings: &warnings))?.first,
        family.versions.indices.contains(model.source), family.versions.indices.contains(model.destination)
      else { continue }
      let names = file.versionNames
      let versions = MappingModelVersions(
        family: family, source: family.versions[model.source].seen(as: names.map(\.source)),
        destination: family.versions[model.destination].seen(as: names.map(\.destination)))
      if own != nil { return versions }
      found.append(versions)
    }
    return found.count == 1 ? found[0] : nil
  }
}

extension MappingModelFile {
  /// How the file names its versions, the most exact names first.
  fileprivate var versionNames: [(source: String, destination: String)] {
    switch endpoints {
    case .names(let source, let destination): [(source, destination)]
    case .modelFolders(let source, let destination):
      [(source.description, destination.description), (source.version, destination.version)]
    case .hashes, .unknown: []
    }
  }
}

extension FamilyVersion {
  /// The version under the first of these names that it has.
  fileprivate func seen(as names: [String]) -> FamilyVersion { names.lazy.compactMap(named).first ?? self }
}
