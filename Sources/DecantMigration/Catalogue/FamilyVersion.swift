public import DecantModel

/// One version of a family: all models whose entities have the same version hashes.
public struct FamilyVersion: Sendable {
  /// One of the models; they differ at most in what hashes leave out, such as indexes and default values.
  struct Variant: Sendable {
    /// Unique within the family: the version's name, or `BUNDLE#VERSION` where bundles share it.
    let name: String
    let bundle: String
    let version: String
    let path: String
    let model: ManagedObjectModel
  }

  /// The place within the family's list.
  public let index: Int
  /// The version hashes of all entities.
  public let hashes: EntityVersionHashes
  let variants: [Variant]
  private let chosen: Int

  init?(index: Int, hashes: EntityVersionHashes, variants: [Variant], chosen: Int) {
    guard variants.indices.contains(chosen) else { return nil }
    self.index = index
    self.hashes = hashes
    self.variants = variants
    self.chosen = chosen
  }

  /// The name under which the version was asked for; otherwise that of the bundle's current version, or the last one
  /// in natural order.
  public var name: String { variants[chosen].name }
  /// The model of that name.
  public var model: ManagedObjectModel { variants[chosen].model }
  /// The path of that model.
  public var path: String { variants[chosen].path }
  /// Every name, in natural order.
  public var names: [String] { variants.map(\.name) }

  /// The same version seen under another of its names, also as `BUNDLE#VERSION` or a bare name that several bundles
  /// share.
  func named(_ name: String) -> FamilyVersion? {
    let match =
      variants.firstIndex { $0.name == name }
      ?? variants.firstIndex { "\($0.bundle)#\($0.version)" == name }
    return match.flatMap { FamilyVersion(index: index, hashes: hashes, variants: variants, chosen: $0) }
  }
}

extension FamilyVersion {
  /// Every way to name the version, `BUNDLE#VERSION` included.
  var allNames: [String] { variants.flatMap { [$0.name, $0.version, "\($0.bundle)#\($0.version)"] } }
}
