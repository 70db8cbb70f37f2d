/// The first line of each run in a ledger: it names the run's manifest, shard and settings.
package struct LedgerHead: Sendable, Hashable, Codable {
  /// The number of the format that this version writes.
  package static let format = 1

  package var ledger = LedgerHead.format
  /// The SHA-256 of the manifest; see `Manifest.Survey`.
  package var manifest: String
  /// The manifest's path, as it was given.
  package var manifestPath: String
  package var shard: Int
  package var shards: Int
  /// The stores of the shard, duplicates not counted.
  package var stores: Int
  /// The digest of the catalogue and the options; see `SettingsDigest`.
  package var settings: String
  /// The folder of the results.
  package var output: String
  package var decant: String
  /// When the run began, in UTC as ISO 8601.
  package var started: String

  package init(
    manifest: String, manifestPath: String, shard: Shard, stores: Int, settings: String, output: String,
    decant: String, started: String
  ) {
    self.manifest = manifest
    self.manifestPath = manifestPath
    self.shard = shard.number
    shards = shard.count
    self.stores = stores
    self.settings = settings
    self.output = output
    self.decant = decant
    self.started = started
  }
}
