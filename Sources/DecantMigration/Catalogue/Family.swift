public import DecantMapping
public import DecantModel
public import Foundation

/// The versions of one model with what the catalogue knows about the ways between them.
public struct Family: Sendable {
  /// The folder's name.
  public let name: String
  public let folder: URL
  public let configuration: FamilyConfiguration
  /// In natural order of their names, which is for display alone.
  public let versions: [FamilyVersion]
  public let mappingModels: [FamilyMappingModel]
  /// Reference stores (`reference/*`), in name order; nothing is known yet but that they are files.
  public let referenceStores: [URL]
  /// One sentence for each thing that is odd but doesn't stop the family.
  public let warnings: [String]
  /// The current version of the only bundle; `nil` where there are several bundles or none is named.
  public let currentVersionName: String?
  /// Renaming identifiers of all versions.
  public let renameHistory: RenameHistory

  /// The version of that name: the version's own, `BUNDLE#VERSION`, or with `.xcdatamodel` at its end.
  public func version(named name: String) -> FamilyVersion? {
    let bare = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    return versions.lazy.compactMap { $0.named(bare) }.first
  }

  /// The version with exactly these hashes.
  public func version(with hashes: EntityVersionHashes) -> FamilyVersion? {
    versions.first { $0.hashes == hashes }
  }

  /// The version to which stores are brought: `target` of `family.json5`, or the bundle's current version.
  ///
  /// - Throws: `FamilyError.noTarget`, which lists the versions.
  public func target() throws(FamilyError) -> FamilyVersion {
    guard let version = (configuration.target ?? currentVersionName).flatMap({ version(named: $0) }) else {
      throw .noTarget(
        family: name, path: folder.appendingPathComponent("family.json5").path,
        versions: versions.map(\.name))
    }
    return version
  }

  /// The mapping models for a pair of versions, in the order of their passes as far as it is stated.
  public func mappingModels(from source: Int, to destination: Int) -> [FamilyMappingModel] {
    mappingModels.filter { $0.source == source && $0.destination == destination }
  }
}

/// A mapping model of a family and the pair of versions that it is for.
public struct FamilyMappingModel: Sendable, Hashable {
  public let file: MappingModelFile
  /// Index of the source version.
  public let source: Int
  /// Index of the destination version.
  public let destination: Int
  /// The place among the passes of the pair; `nil` where nothing states it.
  public let order: Int?
}
