internal import DecantModel
internal import DecantStore
internal import Foundation
internal import KeyedArchive

/// Finds oddities in a store's metadata (docs/formats/core-data-sqlite.md 6).
enum MetadataOddities {
  static func find(in store: SourceStore, _ facts: StoreFileFacts) throws(StoreError) -> [Oddity] {
    let metadata = store.metadata
    var oddities: [Oddity] = []
    func add(_ severity: Oddity.Severity, _ sentence: String) {
      oddities.append(Oddity(severity, .metadata, sentence))
    }
    let rows = try store.rows("SELECT count(*) FROM Z_METADATA").first?.first?.integer ?? 0
    if rows > 1 { add(.warning, "Z_METADATA has \(rows) rows; the first one is used.") }
    if UUID(uuidString: metadata.uuid) == nil {
      add(.warning, "The store's UUID is not valid: “\(metadata.uuid.prefix(60))”. It is kept unchanged.")
    }
    guard let hashes = metadata.versionHashes else {
      oddities.append(
        Oddity(
          .refusal, .noVersionHashes,
          "The metadata have no version hashes, as in stores of Mac OS X 10.4; open and save the store once with an "
            + "application built for Mac OS X 10.5 or later."))
      return oddities
    }
    func differs(_ key: String, from expected: String) -> Bool {
      metadata.entries[key].map { $0 != .string(expected) } ?? false
    }
    if differs(StoreMetadata.Key.digest, from: hashes.digest) {
      add(.warning, "\(StoreMetadata.Key.digest) doesn't match the version hashes.")
    }
    if differs(StoreMetadata.Key.checksum, from: hashes.checksum) {
      add(.warning, "\(StoreMetadata.Key.checksum) doesn't match the version hashes.")
    }
    if differs(StoreMetadata.Key.storeType, from: "SQLite") {
      add(.warning, "\(StoreMetadata.Key.storeType) is not “SQLite”.")
    }
    if metadata.framework == nil {
      add(.warning, "\(StoreMetadata.Key.framework) is missing or not a number.")
    }
    if let list = metadata.entries[StoreMetadata.Key.identifiers],
      list.array.map({ $0.contains { $0.string == nil } }) ?? true
    {
      add(.warning, "\(StoreMetadata.Key.identifiers) is not a list of texts.")
    }
    if let version = metadata.entries[StoreMetadata.Key.hashesVersion], version != .integer(3) {
      add(.warning, "\(StoreMetadata.Key.hashesVersion) is not 3, the only known version.")
    }
    let levels = ["none": "0", "full": "1", "incremental": "2"]
    if let level = metadata.entries[StoreMetadata.Key.autoVacuum] {
      let text = level.string ?? level.integer.map(String.init)
      if text != levels[facts.autoVacuum] {
        add(
          .note,
          "\(StoreMetadata.Key.autoVacuum) says \(level.summary), the file's auto-vacuum is \(facts.autoVacuum)."
        )
      }
    }
    return oddities
  }
}
