public import DecantMapping
public import DecantModel
internal import FileNames
public import Foundation

/// The versions of one model with what the catalogue knows about the ways between them.
public struct Family: Sendable {
  /// The folder's name.
  public let name: String
  /// The folder in which everything of the family lies: of a model bundle that was given alone, the one around it.
  public var folder: URL { place.folder }
  /// What was given: the folder, or a model bundle in it.
  package let place: FamilyPlace
  public let configuration: FamilyConfiguration
  /// In natural order of their names, which is for display alone; behind them what was made for a store that is of
  /// none of them (`FamilyVersion.origin`).
  public internal(set) var versions: [FamilyVersion]
  public package(set) var mappingModels: [FamilyMappingModel]
  /// Reference stores (`reference/*`), in name order; nothing is known yet but that they are files.
  public let referenceStores: [URL]
  /// One sentence for each thing that is odd but doesn't stop the family.
  public internal(set) var warnings: [String]
  /// What is worth knowing of what was taken in.
  public internal(set) var notes: [String] = []
  /// The current version of the only bundle; `nil` where there are several bundles or none is named.
  public let currentVersionName: String?
  /// The current version of each bundle as `BUNDLE#VERSION`.
  let currentVersionNames: [FileName: String]
  /// The bundles of one version, which is current for want of another.
  let singleBundles: Set<FileName>
  /// The current version that a bundle names but doesn't have, by bundle.
  let missingCurrentNames: [FileName: String]
  /// Renaming identifiers of all versions.
  public let renameHistory: RenameHistory
  /// The folder as it was before the family was read; `nil` where it couldn't be seen.
  package var state: FolderState?
  /// What is known of earlier stores; `nil` where nobody keeps it.
  package var memory: FamilyMemory?
  /// What was left out to see the family through a configuration; `nil` for the family as it is.
  package var part: FamilyPart?

  /// The version of that name: the version's own, `BUNDLE#VERSION`, or with `.xcdatamodel` at its end.
  public func version(named name: String) -> FamilyVersion? {
    let bare = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    return FamilyVersion.named(bare, among: versions)
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
      throw noTarget()
    }
    return version
  }

  /// The error that asks for `target`; it says why a bundle that names its current version is of no help.
  func noTarget() -> FamilyError {
    .noTarget(
      family: name, path: folder.appendingPathComponent("family.json5").path,
      versions: versions.filter { $0.origin.isOfTheFolder }.map(\.name),
      missing: missingCurrentNames.sorted { $0.key < $1.key }.map {
        "VersionInfo.plist of \($0.key).momd names “\($0.value)” as the current one, but \($0.value).mom is missing"
      })
  }

  /// The version to which a store of that version is brought.
  ///
  /// It is the family's target, or in a family of several bundles that doesn't state one, the current version of the
  /// store's own bundle, unless a mapping model leads out of it. A bundle of one version speaks for its stores only
  /// where no other version has an entity of that name.
  ///
  /// - Throws: `FamilyError.noTarget`, which lists the versions; `notInConfiguration`.
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

  /// The version of a store's own bundle where `target` is that of a merge.
  private func statedPart(for bundles: Set<FileName>) -> FamilyVersion? {
    guard let target = configuration.target, version(named: target) == nil else { return nil }
    for name in Self.names(target) {
      if let version = version(named: name), !bundles.isDisjoint(with: version.bundles) {
        return version
      }
    }
    return nil
  }

  /// The current version of a bundle, where the bundle names one.
  ///
  /// The only version of a bundle is none where it could be an older one of another bundle's: single files in one
  /// folder are mostly versions of one model.
  ///
  /// - Parameter merged: Bundles that a store is merged of, which therefore aren't versions of one another.
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

  /// The mapping models for a pair of versions, in the order of their passes as far as it is stated.
  public func mappingModels(from source: Int, to destination: Int) -> [FamilyMappingModel] {
    mappingModels.filter { $0.source == source && $0.destination == destination }
  }
}

extension Family {
  /// What `others: "infer"` of a mapping model to a version goes by: the same as inferred steps there.
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
  /// The place among the passes of the pair; `nil` where nothing states it.
  public let order: Int?
}
