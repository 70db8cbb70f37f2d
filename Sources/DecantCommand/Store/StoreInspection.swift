internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantStore
internal import Foundation

/// The facts about a store, with its model if the store or a catalogue has it.
struct StoreInspection {
  /// An entity in `Z_PRIMARYKEY`.
  struct EntityRow {
    let name: String
    let number: Int
    let parent: String?
    /// The number of ancestors.
    let depth: Int
    /// Rows of exactly this entity.
    let rows: Int
    /// The high-water mark of keys in `Z_PRIMARYKEY`; only for root entities.
    let highestKey: Int?
    /// `nil` if no model is known.
    let isAbstract: Bool?
  }

  let path: String
  let bytes: Int
  let logBytes: Int
  let store: SourceStore
  let facts: StoreFileFacts
  let cache: ModelCacheState
  /// Parents before their children, in the order of numbers.
  let entities: [EntityRow]
  /// Rows of each join table.
  let joinTables: [String: Int]
  /// Rows of each table of persistent history.
  let historyTables: [String: Int]
  let history: StoreHistory?
  let cloudKitTables: [String]
  /// Tables that are not Core Data's.
  let otherTables: [String]
  let externalData: ExternalData
  /// First the obstacles to a migration, then warnings, then notes.
  let oddities: [Oddity]

  /// - Parameter model: The catalogue's model for the store. The store's own cache takes precedence, because it also
  ///   has the parts that version hashes leave out.
  init(_ store: SourceStore, model: ManagedObjectModel?) throws(CommandFailure) {
    do throws(StoreError) {
      self = try store.bounded { try StoreInspection(reading: store, model: model) }
    } catch {
      throw CommandFailure(error)
    }
  }

  private init(reading store: SourceStore, model: ManagedObjectModel?) throws {
    self.store = store
    path = store.path
    bytes = Self.size(store.path)
    logBytes = Self.size(store.path + "-wal")
    facts = try StoreFileFacts(store)
    cache = ModelCacheState(store)
    var oddities =
      store.alarms.map { Oddity(.warning, .log, $0) } + store.notes.map { Oddity(.note, .log, $0) }
    oddities += try MetadataOddities.find(in: store, facts)
    oddities += cache.oddities
    var layout: StoreLayout?
    if let model = cache.model ?? model {
      do {
        layout = try StoreLayout(model, framework: store.metadata.framework ?? .current, evidence: store.schema)
      } catch {
        oddities.append(Oddity(.refusal, .model, "The tables of the store's model are unknown: \(error)."))
      }
    }
    var counts = TableCounts(store, layout: layout)
    try counts.read()
    oddities += counts.oddities
    oddities += SchemaOddities(store, layout: layout).all
    entities = counts.entities
    joinTables = counts.joinTables
    historyTables = counts.historyTables
    history = try StoreHistory(store)
    cloudKitTables = store.cloudKitTables
    otherTables = counts.otherTables.filter { !$0.hasPrefix("ANSCK") }
    let keyless = try store.tablesWithoutRowID()
    // Without keys, every reference would need a scan of the whole table, so references aren't looked up.
    if let layout, keyless.isEmpty { oddities += try DanglingReferences.find(in: store, layout) }
    externalData = try ExternalData(of: store, tables: counts.entityTables, layout: layout)
    oddities += externalData.oddities
    if !cloudKitTables.isEmpty {
      oddities.append(
        Oddity(
          .refusal, .cloudKit,
          "The store is mirrored by CloudKit (\(counted(cloudKitTables.count, "table")) ANSCK…). It is migrated if "
            + "family.json5 has cloudKit: \"reset\"."))
    }
    if !keyless.isEmpty {
      oddities.append(
        Oddity(
          .refusal, .withoutRowID,
          "In these tables Z_PK doesn't number the rows, or they are WITHOUT ROWID: \(Quantity.list(keyless)). Core Data "
            + "never makes such tables."))
    }
    if !otherTables.isEmpty {
      oddities.append(
        Oddity(.refusal, .unknownTables, "Core Data doesn't make these tables: \(Quantity.list(otherTables))."))
    }
    self.oddities =
      oddities.filter { $0.severity == .refusal } + oddities.filter { $0.severity == .warning }
      + oddities.filter { $0.severity == .note }
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
