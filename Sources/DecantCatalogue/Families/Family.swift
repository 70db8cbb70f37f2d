public import DecantMapping
public import DecantModel
internal import FileNames
public import Foundation

/// A family: the versions of one model, its settings and its mapping models.
public struct Family: Sendable {
  /// The name, from the folder or the single model bundle, or as a program gives it.
  public let name: String
  /// The folder with all files of the family; for a single model bundle, the folder that holds the bundle.
  public var folder: URL { place.folder }
  /// The folder, or a model bundle in it.
  package let place: FamilyPlace
  public let configuration: FamilyConfiguration
  /// The versions in natural order of their names, which is only for display.
  ///
  /// Models from memory keep their given order. Versions that were made for a store of no listed version come last
  /// (`FamilyVersion.origin`).
  public internal(set) var versions: [FamilyVersion]
  public package(set) var mappingModels: [FamilyMappingModel]
  /// Whether the family's models come from a program's memory.
  package var isInMemory = false
  /// The reference stores: the files of `reference/` in name order, or the stores that a program names.
  ///
  /// Whether these files are stores hasn't been checked.
  public let referenceStores: [URL]
  /// One sentence for each oddity that doesn't make the family unusable.
  public internal(set) var warnings: [String]
  /// Sentences about the files beside a model bundle: those that are used, and those that aren't.
  public internal(set) var notes: [String] = []
  /// The name of the only bundle's current version; `nil` if there are several bundles or the bundle has no current
  /// version.
  public let currentVersionName: String?
  /// The current version of each bundle as `BUNDLE#VERSION`.
  let currentVersionNames: [FileName: String]
  /// The bundles with one version, which is current because there is no other.
  let singleBundles: Set<FileName>
  /// The current version that a bundle names but doesn't have, by bundle.
  let missingCurrentNames: [FileName: String]
  /// Renaming identifiers of all versions.
  public let renameHistory: RenameHistory
  /// The state of the folder before the family was read; `nil` if it is unknown.
  package var state: FolderState?
  /// The cached answers for earlier stores; `nil` without a cache.
  package var memory: FamilyMemory?
  /// The configuration to which the family is reduced; `nil` for the whole family.
  package var part: FamilyPart?

  /// The version with this name; `nil` if there is none.
  ///
  /// The name is the version's own name or `BUNDLE#VERSION`. It may end with `.xcdatamodel`.
  public func version(named name: String) -> FamilyVersion? {
    let bare = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    return FamilyVersion.named(bare, among: versions)
  }

  /// The version with exactly these hashes; `nil` if there is none.
  public func version(with hashes: EntityVersionHashes) -> FamilyVersion? {
    versions.first { $0.hashes == hashes }
  }

  /// The version to which stores are migrated: `target` of `family.json5`, or the current version of the only bundle.
  ///
  /// - Throws: `FamilyError.noTarget`, which lists the versions.
  public func target() throws(FamilyError) -> FamilyVersion {
    guard let version = (configuration.target ?? currentVersionName).flatMap({ version(named: $0) }) else {
      throw noTarget()
    }
    return version
  }

  func noTarget() -> FamilyError {
    .noTarget(
      family: name, path: folder.appendingPathComponent("family.json5").path,
      versions: versions.filter { $0.origin.isOfTheFolder }.map(\.name),
      missing: missingCurrentNames.sorted { $0.key < $1.key }.map {
        "VersionInfo.plist of \($0.key).momd names “\($0.value)” as the current one, but \($0.value).mom is missing"
      })
  }

  /// The version to which a store of this version is migrated.
  ///
  /// - If `target` names a merge, and one of its versions is of the store's own bundle, the result is that version.
  /// - If a family of several bundles states no target, the result is the current version of the store's own bundle.
  ///   `noTarget` is thrown if there is no such version, if the store's version is in several bundles with different
  ///   current versions, or if a mapping model leads from this bundle to another one.
  /// - Otherwise the result is the family's target.
  ///
  /// - Throws: `FamilyError.noTarget`, which lists the versions; `notInConfiguration` if the target lacks the store's
  ///   configuration.
  public func target(for source: FamilyVersion) throws(FamilyError) -> FamilyVersion {
    let bundles = source.bundles
    let currents = Set(bundles.compactMap { currentVersion(ofBundle: $0)?.index })
    let members = Set(versions.filter { !bundles.isDisjoint(with: $0.bundles) }.map(\.index))
    if let stated = statedPart(for: bundles) { return stated }
    let leadsOut = mappingModels.contains { members.contains($0.source) && !members.contains($0.destination) }
    guard configuration.target == nil, currentVersionName == nil, currents.count == 1, !leadsOut,
      let current = currents.first
    else {
      let bundle = Set(bundles.compactMap { currentVersionNames[$0] })
      if let wanted = configuration.target ?? currentVersionName ?? (bundle.count == 1 ? bundle.first : nil) {
        try part?.check(wanted, family: name)
      }
      return try target()
    }
    return versions[current]
  }

  private func statedPart(for bundles: Set<FileName>) -> FamilyVersion? {
    guard let target = configuration.target, version(named: target) == nil else { return nil }
    for name in Self.names(target) {
      if let version = version(named: name), !bundles.isDisjoint(with: version.bundles) {
        return version
      }
    }
    return nil
  }

  /// The current version of a bundle; `nil` if there is none.
  ///
  /// A bundle's only version isn't current if a version of another bundle has an entity of the same name. Single files
  /// in one folder are mostly versions of one model, so the other version could be newer.
  ///
  /// - Parameter merged: The bundles of a merged store, which aren't versions of one another.
  func currentVersion(ofBundle bundle: FileName, merged: Set<FileName> = []) -> FamilyVersion? {
    guard let current = currentVersionNames[bundle].flatMap({ version(named: $0) }) else { return nil }
    guard singleBundles.contains(bundle) else { return current }
    let isOneOfSeveral = versions.contains { other in
      other.index != current.index && other.origin.isOfTheFolder
        && merged.isDisjoint(with: other.bundles)
        && other.hashes.keys.contains { current.hashes[$0] != nil }
    }
    return isOneOfSeveral ? nil : current
  }

  /// The mapping models for a pair of versions, in the order of their passes if it is stated.
  public func mappingModels(from source: Int, to destination: Int) -> [FamilyMappingModel] {
    mappingModels.filter { $0.source == source && $0.destination == destination }
  }
}

extension Family {
  /// The data for `others: "infer"` of a mapping model: the renames and the rename history, as for inferred steps.
  ///
  /// - Parameter passes: The other mapping models of the pair.
  package func otherEntities(
    to destination: FamilyVersion, besides passes: [MappingModelReading]
  ) -> OtherEntities {
    OtherEntities(
      renames: configuration.renames(to: destination.allNames), history: renameHistory, besides: passes)
  }
}

/// A mapping model of a family and the pair of versions that it is for.
public struct FamilyMappingModel: Sendable, Hashable {
  public let file: MappingModelFile
  /// Index of the source version.
  public let source: Int
  /// Index of the destination version.
  public let destination: Int
  /// The place among the passes of the pair; `nil` if no place is stated.
  public let order: Int?
}
