internal import DecantConsole
internal import DecantModel
internal import DecantStore
internal import Foundation
internal import KeyedArchive

extension StoreInspection {
  /// The output of `decant inspect --json`, always with every key.
  func json(model: JSON) -> JSON {
    let metadata = store.metadata
    var json: [String: JSON] = [
      "path": .string(path), "bytes": .integer(bytes), "logBytes": .integer(logBytes),
      "storeType": .string("SQLite"), "file": facts.json, "modelCache": cache.json, "model": model,
      "externalData": externalData.json,
    ]
    json["framework"] = metadata.framework.map { JSON.integer($0.number) } ?? .null
    json["frameworkSystem"] = .optional(metadata.framework.map { FrameworkName.system(of: $0.number) })
    json["journalMode"] = .string(facts.usesWriteAheadLog ? "wal" : "delete")
    json["uuid"] = .string(metadata.uuid)
    json["versionHashes"] =
      metadata.versionHashes.map { JSON.object($0.mapValues { .string($0.hexadecimal) }) } ?? .null
    json["versionIdentifiers"] = .strings(metadata.versionIdentifiers)
    json["entities"] = .array(entities.map(Self.json))
    json["joinTables"] = .object(joinTables.mapValues(JSON.integer))
    json["historyTables"] = .object(historyTables.mapValues(JSON.integer))
    json["history"] = history?.json ?? .null
    json["cloudKitTables"] = .strings(cloudKitTables)
    json["otherTables"] = .strings(otherTables)
    json["applicationMetadata"] = .object(applicationMetadata.mapValues(JSON.init))
    json["oddities"] = .array(oddities.map(Self.json))
    json["warnings"] = .strings(oddities.filter { $0.severity != .note }.map(\.message))
    return .object(json)
  }

  private static func json(_ entity: EntityRow) -> JSON {
    .object([
      "name": .string(entity.name), "number": .integer(entity.number), "parent": .optional(entity.parent),
      "rows": .integer(entity.rows), "highestKey": entity.highestKey.map(JSON.integer) ?? .null,
      "isAbstract": entity.isAbstract.map(JSON.boolean) ?? .null,
    ])
  }

  static func json(_ oddity: Oddity) -> JSON {
    .object([
      "kind": .string(oddity.kind.rawValue), "severity": .string(oddity.severity.rawValue),
      "message": .string(oddity.message),
    ])
  }

  /// The metadata that the application has written.
  var applicationMetadata: [String: PropertyList] {
    let own: Set = [
      StoreMetadata.Key.hashes, StoreMetadata.Key.hashesVersion, StoreMetadata.Key.identifiers,
      StoreMetadata.Key.framework, StoreMetadata.Key.digest, StoreMetadata.Key.checksum,
      StoreMetadata.Key.storeType, StoreMetadata.Key.autoVacuum, "NSPersistenceMaximumFrameworkVersion",
    ]
    return store.metadata.entries.filter { !own.contains($0.key) }
  }
}

/// The application's metadata as `decant inspect` lists them.
enum ApplicationMetadata {
  /// - Parameter width: A terminal's columns, where long values are cut; `nil` for whole values.
  static func lines(_ entries: [String: PropertyList], cutAt width: Int?) -> [String] {
    guard !entries.isEmpty else { return [] }
    var table = TextTable(indent: 2)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      table.add([key, value.string ?? value.summary])
    }
    return ["", "Metadata of the application"] + (width.map { table.lines(cutAt: $0) } ?? table.lines)
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
      case .date(let seconds): .string(DateText.of(seconds))
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
  var summary: String {
    switch self {
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .single(let value): "\(value)"
    case .date(let seconds): DateText.of(seconds)
    case .data(let data): "\(Quantity.bytes(data.count)) of data"
    case .string(let text): text.count > 60 ? "\(text.prefix(60))…" : text
    case .array(let elements): counted(elements.count, "element")
    case .dictionary(let entries): counted(entries.count, "entry", "entries")
    case .uid(let number): "reference \(number)"
    case .null: "null"
    }
  }
}
