internal import DecantMapping
internal import DecantModel
internal import FileNames

extension Family {
  /// The name of a merge, such as `Notes 2 + Places`.
  static func mergeName(_ versions: [FamilyVersion]) -> String {
    versions.map(\.name).joined(separator: VersionName.mergeMark)
  }

  package func parts(of version: FamilyVersion) -> [FamilyVersion] {
    guard case .merge(let names) = version.origin else { return [] }
    return names.compactMap { self.version(named: $0) }
  }

  func renames(to version: FamilyVersion) -> Renames {
    configuration.renames(to: version.allNames + parts(of: version).flatMap(\.allNames))
  }

  /// The merge of versions of several bundles; a single version is returned unchanged.
  ///
  /// The merge is added to the family's versions if no version has its hashes.
  ///
  /// - Throws: `ModelError.conflictingEntity` if two of the models define an entity differently.
  mutating func merge(_ parts: [FamilyVersion]) throws(ModelError) -> FamilyVersion {
    if parts.count == 1, let only = parts.first { return only }
    let model = try ManagedObjectModel.merging(parts.map(\.model))
    let hashes = model.entityVersionHashes
    if let known = version(with: hashes) { return known }
    let name = Self.mergeName(parts)
    let bundle = parts.map(\.bundle).joined(separator: VersionName.mergeMark)
    let variant = FamilyVersion.Variant(
      name: name, bundle: bundle, version: name, path: folder.path, model: model)
    guard
      let version = FamilyVersion(
        index: versions.count, hashes: hashes, variants: [variant], chosen: 0, origin: .merge(parts.map(\.name))
      )
    else { throw .noVersions }
    versions.append(version)
    return version
  }

  /// The target of a merged store: for each bundle the named version, else the current one.
  ///
  /// - Parameter wanted: Names of versions joined by ` + `, as in `--to` and `target`. Other bundles go to their
  ///   current versions. With `nil`, `target` of `family.json5` has the names. If there is no `target`, each bundle
  ///   goes to its current version.
  /// - Throws: `FamilyError.noSuchPart` for a name that isn't a version of the store's bundles, or for a second name of
  ///   one bundle. `noTarget` for a bundle without a target. `model` if the targets can't be merged.
  package mutating func mergeTarget(for source: FamilyVersion, wanted: String?) throws(FamilyError)
    -> FamilyVersion
  {
    var named: [FileName: FamilyVersion] = [:]
    let sources = parts(of: source)
    let bundles = Set(sources.map { FileName($0.bundle) })
    for name in (wanted ?? configuration.target).map(Self.names) ?? [] {
      guard let version = version(named: name),
        let bundle = version.variants.map({ FileName($0.bundle) }).first(where: {
          bundles.contains($0) && named[$0] == nil
        }),
        let own = version.of(bundle: bundle.text)
      else { throw .noSuchPart(family: self.name, name: name, store: source.name) }
      named[bundle] = own
    }
    var targets: [FamilyVersion] = []
    for part in sources {
      let bundle = FileName(part.bundle)
      guard let target = named[bundle] ?? currentVersion(ofBundle: bundle, merged: bundles) else {
        throw noTarget()
      }
      targets.append(target)
    }
    do {
      return try merge(targets)
    } catch {
      throw .model(error)
    }
  }

  static func names(_ target: String) -> [String] {
    target.components(separatedBy: VersionName.mergeMark)
  }
}
