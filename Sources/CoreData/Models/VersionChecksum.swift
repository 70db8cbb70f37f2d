internal import DecantModel
public import DecantPolicies
internal import Foundation

extension ModelDescription {
  /// The text that names this version of the model in stages of a migration, and in the metadata of stores
  /// (docs/formats/version-hash.md 3).
  public var versionChecksum: String { model.entityVersionHashes.checksum }
}
