public import DecantModel
internal import FileNames

/// One version of a family: all models whose entities have the same version hashes.
public struct FamilyVersion: Sendable {
  /// One of the version's models.
  ///
  /// The models of a version differ only in things outside the hashes, such as indexes and default values.
  package struct Variant: Sendable {
    /// Unique within the family.
    let name: String
    let bundle: String
    let version: String
    package let path: String
    package let model: ManagedObjectModel
    /// The name of the whole model in the family.
    ///
    /// If the variant is only a configuration of that model, `name` differs from this name.
    let wholeName: String

    init(
      name: String, bundle: String, version: String, path: String, model: ManagedObjectModel,
      wholeName: String? = nil
    ) {
      self.name = name
      self.bundle = bundle
      self.version = version
      self.path = path
      self.model = model
      self.wholeName = wholeName ?? name
    }
  }

  /// The index in the family's list.
  public let index: Int
  /// The version hashes of all entities.
  public let hashes: EntityVersionHashes
  /// The origin: the folder, a store's own model, or other versions.
  public let origin: VersionOrigin
  package let variants: [Variant]
  private let chosen: Int

  init?(
    index: Int, hashes: EntityVersionHashes, variants: [Variant], chosen: Int,
    origin: VersionOrigin = .catalogue
  ) {
    guard variants.indices.contains(chosen) else { return nil }
    self.index = index
    self.hashes = hashes
    self.origin = origin
    self.variants = variants
    self.chosen = chosen
  }

  /// The name by which the version was found; otherwise the name of the bundle's current version, or the last name in
  /// natural order.
  public var name: String { variants[chosen].name }
  /// The model of that name.
  public var model: ManagedObjectModel { variants[chosen].model }
  /// The path of that model.
  public var path: String { variants[chosen].path }
  /// The bundle of that model.
  package var bundle: String { variants[chosen].bundle }
  /// Every name, in natural order.
  public var names: [String] { variants.map(\.name) }

  /// The same version under another of its names, also as `BUNDLE#VERSION`.
  ///
  /// - Parameter exactly: Whether the bytes must be equal; if not, another normal form is accepted.
  private func named(_ name: String, exactly: Bool) -> FamilyVersion? {
    func isNamed(_ own: String) -> Bool { own == name && (!exactly || FileName(own) == FileName(name)) }
    let match =
      variants.firstIndex { isNamed($0.name) || isNamed($0.wholeName) }
      ?? variants.firstIndex { isNamed("\($0.bundle)#\($0.version)") }
    return match.flatMap { chosen(at: $0) }
  }

  /// The same version under the only name whose model has these identifiers; else unchanged.
  ///
  /// - Parameter identifiers: `NSStoreModelVersionIdentifiers` of a store, which Core Data copies from the model.
  func identified(by identifiers: [String]) -> FamilyVersion {
    // Identifiers are compared as bytes.
    func bytes(_ texts: [String]) -> Set<[UInt8]> { Set(texts.filter { !$0.isEmpty }.map { Array($0.utf8) }) }
    let wanted = bytes(identifiers)
    guard variants.count > 1, !wanted.isEmpty else { return self }
    let places = variants.indices.filter { bytes(variants[$0].model.versionIdentifiers) == wanted }
    return places.count == 1 ? chosen(at: places[0]) ?? self : self
  }

  /// The same version under its name in a bundle; `nil` if the bundle doesn't have the version.
  package func of(bundle: String) -> FamilyVersion? {
    let bundle = FileName(bundle)
    if FileName(self.bundle) == bundle { return self }
    return variants.firstIndex { FileName($0.bundle) == bundle }.flatMap { chosen(at: $0) }
  }

  private func chosen(at place: Int) -> FamilyVersion? {
    FamilyVersion(index: index, hashes: hashes, variants: variants, chosen: place, origin: origin)
  }
}

extension FamilyVersion {
  /// Every name of the version, `BUNDLE#VERSION` included.
  package var allNames: [String] {
    variants.flatMap { [$0.name, $0.wholeName, $0.version, "\($0.bundle)#\($0.version)"] }
  }

  static func named(_ name: String, among versions: [FamilyVersion]) -> FamilyVersion? {
    versions.lazy.compactMap { $0.named(name, exactly: true) }.first
      ?? versions.lazy.compactMap { $0.named(name, exactly: false) }.first
  }

  var bundles: Set<FileName> { Set(variants.map { FileName($0.bundle) }) }

  /// The names of the whole models.
  ///
  /// Numbers in these names show the order of the versions.
  var wholeNames: [String] { variants.map(\.wholeName) }

  /// Groups models by hashes: one version for each set of hashes, in natural order of names.
  ///
  /// - Parameter isCurrent: Whether a model is its bundle's current version, which gives the version its name.
  static func grouped(
    _ variants: [Variant], origin: VersionOrigin = .catalogue, isCurrent: (Variant) -> Bool
  ) -> [FamilyVersion] {
    let groups = Dictionary(grouping: variants, by: { $0.model.entityVersionHashes }).map { hashes, group in
      (hashes, group.sorted { VersionName.displayOrder($0.name, $1.name) })
    }.sorted { VersionName.displayOrder($0.1[0].name, $1.1[0].name) }
    return groups.enumerated().compactMap { index, entry in
      FamilyVersion(
        index: index, hashes: entry.0, variants: entry.1,
        chosen: entry.1.firstIndex(where: isCurrent) ?? entry.1.count - 1, origin: origin)
    }
  }
}
