public import DecantMapping
internal import DecantModel
internal import Foundation

/// The two versions of a family that a mapping model is for.
public struct MappingModelVersions: Sendable {
  public let family: Family
  public let source: FamilyVersion
  public let destination: FamilyVersion
  /// Whether all mapping models of the family are known: others may be for the same pair.
  public let isWhole: Bool
}

extension Catalogue {
  /// The versions that a file is for: those of the family whose folder holds it, else those of the only family that
  /// has such a pair.
  ///
  /// Of a family that can't be used the models are enough: what else is wrong with its folder isn't the file's fault.
  ///
  /// - Throws: `FamilyError.mappingModelVersions` where the only family that it could be for has no such versions.
  public func versions(for file: MappingModelFile) throws(FamilyError) -> MappingModelVersions? {
    let folder = URL(fileURLWithPath: file.path).standardizedFileURL.deletingLastPathComponent().path
    let families = states.compactMap(Self.survey)
    let own = families.first { $0.family.folder.standardizedFileURL.path == folder }
    if let only = own ?? (families.count == 1 ? families[0] : nil) {
      return try Self.versions(for: file, in: only.family, isWhole: only.isWhole)
    }
    var found: [MappingModelVersions] = []
    for (family, isWhole) in families {
      do throws(FamilyError) {
        if let versions = try Self.versions(for: file, in: family, isWhole: isWhole) { found.append(versions) }
      } catch {
        continue
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// As much of a family as can be read; `nil` where its models can't be.
  private static func survey(_ state: FamilyState) -> (family: Family, isWhole: Bool)? {
    switch state {
    case .ready(let family): return (family, true)
    case .broken(let broken):
      let folder = URL(fileURLWithPath: broken.path, isDirectory: true)
      let (family, faults) = FamilyReader(name: broken.name, folder: folder).survey()
      let isWhole = !faults.contains {
        switch $0 {
        case .mappingModel, .mappingModelVersions: true
        default: false
        }
      }
      return family.map { ($0, isWhole) }
    }
  }

  private static func versions(
    for file: MappingModelFile, in family: Family, isWhole: Bool
  ) throws(FamilyError) -> MappingModelVersions? {
    var warnings: [String] = []
    let resolver = MappingPairResolver(
      versions: family.versions, order: [],
      staleHashes: family.configuration.acceptStaleHashes.meant(among: [file.name]))
    guard let model = try resolver.resolve([file], warnings: &warnings).first else { return nil }
    let names = file.versionNames
    return MappingModelVersions(
      family: family, source: family.versions[model.source].seen(as: names.map(\.source)),
      destination: family.versions[model.destination].seen(as: names.map(\.destination)), isWhole: isWhole)
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
  fileprivate func seen(as names: [String]) -> FamilyVersion {
    names.lazy.compactMap { named($0) }.first ?? self
  }
}
