internal import DecantSQLite
internal import Synchronization

/// Facts from the schemas of earlier stores, kept for further stores with the same schema.
///
/// The facts follow from the names and statements in `sqlite_master`, which is read for every store.
package final class StoreSchemas: Sendable {
  /// The largest number of kept schemas.
  ///
  /// A few are enough, because the stores of a family usually have few versions.
  private static let most = 8
  /// The largest size of a kept schema, in bytes of its rows.
  private static let longest = 128 << 10

  private struct Shelf {
    var schemas: [Key: StoreSchema] = [:]
    var order: [Key] = []
    /// The schema of the last store in memory, and the number of its form.
    var last: (form: UInt32, schema: StoreSchema)?
    /// The trees of the last store in memory, and the number of its form.
    var lastTrees: (form: UInt32, trees: ScannedSchema)?
  }

  private struct Key: Hashable {
    let rows: [[SQLiteValue]]
  }

  private let shelf = Mutex(Shelf())
  /// Connections of earlier small stores, for further stores with the same schema.
  package let connections = KeptConnections()

  package init() {}

  /// Forgets all schemas and closes the kept connections, because a failing disk may have returned something wrong
  /// when they were read.
  package func forget() {
    shelf.withLock { $0 = Shelf() }
    connections.forget()
  }

  /// The schema of a store in memory: that of the last store if it has the same form, else a new one.
  func schema<Failure: Error>(
    ofForm form: UInt32, make: () throws(Failure) -> StoreSchema
  ) throws(Failure) -> StoreSchema {
    if let last = shelf.withLock({ $0.last }), last.form == form { return last.schema }
    let made = try make()
    shelf.withLock { $0.last = (form, made) }
    return made
  }

  /// The trees of a store in memory: those of the last store if it has the same form, else new ones.
  ///
  /// Stores of one form have the same root pages.
  func trees(ofForm form: UInt32, make: () -> ScannedSchema?) -> ScannedSchema? {
    if let last = shelf.withLock({ $0.lastTrees }), last.form == form { return last.trees }
    guard let made = make() else { return nil }
    shelf.withLock { $0.lastTrees = (form, made) }
    return made
  }

  /// The schema with these rows of `sqlite_master`: a known one, or a new one.
  func schema<Failure: Error>(
    of rows: [[SQLiteValue]], make: () throws(Failure) -> StoreSchema
  ) throws(Failure) -> StoreSchema {
    let key = Key(rows: rows)
    if let known = shelf.withLock({ $0.schemas[key] }) { return known }
    let made = try make()
    guard rows.joined().reduce(0, { $0 + $1.bytes }) <= Self.longest else { return made }
    shelf.withLock { shelf in
      guard shelf.schemas.updateValue(made, forKey: key) == nil else { return }
      shelf.order.append(key)
      if shelf.order.count > Self.most { shelf.schemas[shelf.order.removeFirst()] = nil }
    }
    return made
  }
}

/// The facts that a store's schema gives; expensive ones are computed on first use.
final class StoreSchema: Sendable {
  /// Columns of every table, and the indexes.
  let evidence: SchemaEvidence
  /// The statements of tables, indexes, views and triggers by name.
  let statements: [String: String]
  /// Tables whose names differ only in their Unicode normal form, so that Decant can't distinguish them.
  let twinTables: [String]
  /// Views and triggers that Core Data doesn't make, in order.
  let viewsAndTriggers: [String]
  /// The virtual tables, in order.
  let virtualTables: [String]
  private let leading = Mutex<[String: Set<String>]?>(nil)
  private let keyless = Mutex<[String]?>(nil)

  init(
    _ evidence: SchemaEvidence, statements: [String: String], twinTables: [String] = [],
    viewsAndTriggers: [String] = []
  ) {
    self.twinTables = twinTables
    self.viewsAndTriggers = viewsAndTriggers
    self.evidence = evidence
    self.statements = statements
    virtualTables = evidence.tables.keys.filter { !(statements[$0].map(StoreReader.isOrdinary) ?? true) }
      .sorted()
  }

  /// The first columns of indexes, by table; `look` finds them at the first call.
  func leadingColumns<Failure: Error>(
    _ look: () throws(Failure) -> [String: Set<String>]
  ) throws(Failure) -> [String: Set<String>] {
    if let known = leading.withLock({ $0 }) { return known }
    let found = try look()
    leading.withLock { $0 = found }
    return found
  }

  /// The tables whose `rowid` can't be used; `look` finds them at the first call.
  func tablesWithoutRowID<Failure: Error>(_ look: () throws(Failure) -> [String]) throws(Failure) -> [String] {
    if let known = keyless.withLock({ $0 }) { return known }
    let found = try look()
    keyless.withLock { $0 = found }
    return found
  }
}
