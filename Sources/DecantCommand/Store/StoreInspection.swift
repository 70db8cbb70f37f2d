internal import DecantModel
internal import DecantStore
internal import Foundation

/// What a store tells about itself, without its model.
struct StoreInspection {
  /// An entity as `Z_PRIMARYKEY` lists it.
  struct EntityRow {
    let name: String
    let number: Int
    let parent: String?
    /// Ancestors.
    let depth: Int
    /// Rows of this very entity.
    let rows: Int
    /// The high-water mark of the family; of roots only.
    let highestKey: Int?
  }

  let path: String
  let bytes: Int
  let logBytes: Int
  let store: SourceStore
  /// Parents before their children, in the order of numbers.
  let entities: [EntityRow]
  /// Rows of each join table.
  let joinTables: [String: Int]
  /// Rows of each table of persistent history.
  let historyTables: [String: Int]
  let cloudKitTables: [String]
  /// Tables that are none of Core Data's.
  let otherTables: [String]
  let externalData: ExternalData
  /// Oddities, a sentence each.
  let warnings: [String]

  init(_ store: SourceStore) throws(CommandFailure) {
    self.store = store
    path = store.path
    bytes = Self.size(store.path)
    logBytes = Self.size(store.path + "-wal")
    var counts = StoreCounts(store)
    do {
      try counts.read()
    } catch let error as StoreError {
      throw CommandFailure(error)
    } catch {
      throw CommandFailure(ExitCode.badData, "\(store.path): \(error).")
    }
    entities = counts.entities
    joinTables = counts.joinTables
    historyTables = counts.historyTables
    cloudKitTables = counts.otherTables.filter { $0.hasPrefix("ANSCK") }
    otherTables = counts.otherTables.filter { !$0.hasPrefix("ANSCK") }
    externalData = try ExternalData(of: store, tables: counts.entityTables)
    var warnings = store.warnings + counts.warnings
    if !cloudKitTables.isEmpty {
      warnings.append(
        "The store is mirrored by CloudKit (\(cloudKitTables.count) \(cloudKitTables.count == 1 ? "table" : "tables") ANSCK…)."
      )
    }
    if !otherTables.isEmpty {
      warnings.append("Core Data doesn't make these tables: \(otherTables.joined(separator: ", ")).")
    }
    if externalData.missingCount > 0 {
      warnings.append(
        externalData.isThere
          ? "\(Quantity.count(externalData.missingCount, "file")) of external data \(externalData.missingCount == 1 ? "is" : "are") "
            + "missing in \(externalData.folder)."
          : "The folder of external data is missing: \(externalData.folder).")
    }
    if store.metadata.versionHashes == nil {
      warnings.append("The metadata have no valid version hashes, so the model version can't be recognised.")
    }
    self.warnings = warnings
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
