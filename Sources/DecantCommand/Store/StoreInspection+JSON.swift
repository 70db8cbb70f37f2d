internal import DecantModel
internal import DecantStore
internal import Foundation
internal import KeyedArchive

extension StoreInspection {
  /// What `decant inspect --json` prints.
  func json(model: JSON) -> JSON {
    let metadata = store.metadata
    return .object([
      "path": .string(path),
      "bytes": .integer(bytes),
      "logBytes": .integer(logBytes),
      "framework": metadata.framework.map { .integer($0.number) } ?? .null,
      "journalMode": .string(store.usesWriteAheadLog ? "wal" : "delete"),
      "uuid": .string(metadata.uuid),
      "versionHashes": metadata.versionHashes.map { .object($0.mapValues { .string($0.hexadecimal) }) }
        ?? .null,
      "versionIdentifiers": .strings(metadata.versionIdentifiers),
      "model": model,
      "entities": .array(
        entities.map {
          .object([
            "name": .string($0.name), "number": .integer($0.number), "parent": .optional($0.parent),
            "rows": .integer($0.rows), "highestKey": $0.highestKey.map(JSON.integer) ?? .null,
          ])
        }),
      "joinTables": .object(joinTables.mapValues(JSON.integer)),
      "historyTables": .object(historyTables.mapValues(JSON.integer)),
      "cloudKitTables": .strings(cloudKitTables),
      "otherTables": .strings(otherTables),
      "externalData": .object([
        "folder": .string(externalData.folder), "isThere": .boolean(externalData.isThere),
        "references": .integer(externalData.references), "missing": .integer(externalData.missingCount),
        "missingFiles": .strings(externalData.missing), "unused": .integer(externalData.unusedCount),
      ]),
      "applicationMetadata": .object(applicationMetadata.mapValues(JSON.init)),
      "warnings": .strings(warnings),
    ])
  }

  /// The metadata that the application has written.
  var applicationMetadata: [String: PropertyList] {
    let own: Set = [
      StoreMetadata.Key.hashes, StoreMetadata.Key.hashesVersion, StoreMetadata.Key.identifiers,
      StoreMetadata.Key.framework, StoreMetadata.Key.digest, StoreMetadata.Key.checksum,
      StoreMetadata.Key.storeType, StoreMetadata.Key.autoVacuum,
    ]
    return store.metadata.entries.filter { !own.contains($0.key) }
  }
}

extension JSON {
  /// A property list as JSON: data in Base64, dates as text.
  init(_ list: PropertyList) {
    self =
      switch list {
      case .boolean(let value): .boolean(value)
      case .integer(let value): .integer(Int(value))
      case .unsigned(let value): .string(String(value))
      case .real(let value): .real(value)
      case .single(let value): .real(Double(value))
      case .date(let seconds): .string(list.dateText(seconds))
      case .data(let data): .string(data.base64EncodedString())
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map(JSON.init))
      case .dictionary(let entries): .object(entries.mapValues(JSON.init))
      case .uid(let number): .integer(Int(number))
      case .null: .null
      }
  }
}

extension PropertyList {
  /// A line's worth of the value.
  var summary: String {
    switch self {
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .single(let value): "\(value)"
    case .date(let seconds): dateText(seconds)
    case .data(let data): "\(Quantity.bytes(data.count)) of data"
    case .string(let text): text.count > 60 ? "\(text.prefix(60))…" : text
    case .array(let elements): Quantity.count(elements.count, "element")
    case .dictionary(let entries): Quantity.count(entries.count, "entry", "entries")
    case .uid(let number): "reference \(number)"
    case .null: "null"
    }
  }

  fileprivate func dateText(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return "\(seconds)" }
    return Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
  }
}
