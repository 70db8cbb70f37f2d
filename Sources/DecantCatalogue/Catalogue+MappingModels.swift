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
  /// The versions belong to the family whose folder holds the file, else to the only family that has such versions. A
  /// broken family takes part if its models can be read. A family whose models can't be read is ignored.
  ///
  /// - Returns: `nil` if both versions of the file are the same. A file in no family's folder also gives `nil` if no
  ///   family or several families have such versions.
  /// - Throws: `FamilyError.mappingModelVersions` if the file's pair of versions isn't known in the family whose folder
  ///   holds the file. The same applies to the only family, if no family's folder holds the file.
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

  /// The readable part of a family; `nil` if its models can't be read.
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
