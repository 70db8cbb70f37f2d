public import DecantMapping
internal import DecantModel
internal import Foundation

/// The two versions of a family that a mapping model connects.
public struct MappingModelVersions: Sendable {
  public let family: Family
  public let source: FamilyVersion
  public let destination: FamilyVersion
  /// The faults of the family's mapping models; empty for a usable family.
  ///
  /// A faulty mapping model may be for the same pair of versions. Then not all mapping models of the pair are known.
  public let faults: [FamilyError]
}

extension Catalogue {
  /// The versions of a mapping model file.
  ///
  /// Only the family whose folder holds the file is searched; without such a family, all families are searched. A
  /// broken family takes part if its models can be read.
  ///
  /// - Returns: `nil` if both versions of the file are the same, or if several families are searched and not exactly
  ///   one has such versions.
  /// - Throws: `FamilyError.mappingModelVersions` if a single family is searched and doesn't have exactly one such pair
  ///   of versions.
  public func versions(for file: MappingModelFile) throws(FamilyError) -> MappingModelVersions? {
    let folder = URL(fileURLWithPath: file.path).standardizedFileURL.deletingLastPathComponent().path
    let families = states.compactMap(Self.survey)
    let own = families.first { $0.family.folder.standardizedFileURL.path == folder }
    if let only = own ?? (families.count == 1 ? families[0] : nil) {
      return try Self.versions(for: file, in: only.family, faults: only.faults)
    }
    var found: [MappingModelVersions] = []
    for (family, faults) in families {
      do throws(FamilyError) {
        if let versions = try Self.versions(for: file, in: family, faults: faults) { found.append(versions) }
      } catch {
        continue
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  private static func survey(_ state: FamilyState) -> (family: Family, faults: [FamilyError])? {
    switch state {
    case .ready(let family): return (family, [])
    case .broken(let broken):
      let folder = URL(fileURLWithPath: broken.path, isDirectory: true)
      let (family, faults) = FamilyReader(name: broken.name, folder: folder).survey()
      let ofMappingModels = faults.filter {
        switch $0 {
        case .mappingModel, .mappingModelVersions: true
        default: false
        }
      }
      return family.map { ($0, ofMappingModels) }
    }
  }

  private static func versions(
    for file: MappingModelFile, in family: Family, faults: [FamilyError]
  ) throws(FamilyError) -> MappingModelVersions? {
    var warnings: [String] = []
    let resolver = MappingPairResolver(
      versions: family.versions, order: [],
      staleHashes: family.configuration.acceptStaleHashes.meant(among: [file.name]))
    guard let model = try resolver.resolve([file], warnings: &warnings).first else { return nil }
    let names = file.versionNames
    return MappingModelVersions(
      family: family, source: family.versions[model.source].seen(as: names.map(\.source)),
      destination: family.versions[model.destination].seen(as: names.map(\.destination)), faults: faults)
  }
}

extension MappingModelFile {
  /// The names of the two versions in the file, the most exact ones first.
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
  /// This version under the first of these names that it has; unchanged if it has none of them.
  fileprivate func seen(as names: [String]) -> FamilyVersion {
    names.lazy.compactMap { Self.named($0, among: [self]) }.first ?? self
  }
}
