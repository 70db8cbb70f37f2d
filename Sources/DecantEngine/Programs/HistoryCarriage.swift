internal import DecantMapping
internal import DecantModel
package import DecantPasses
internal import DecantSQLite
package import DecantStore

/// How a step treats persistent history (docs/formats/core-data-sqlite.md 8).
///
/// History rows stay valid if the objects that they name keep their keys, as in an inferred step. Only `ZENTITY`
/// changes. `ZCOLUMNS` has a bit for each property of the changed object's entity, in an order that isn't known. So
/// `ZCOLUMNS` stays valid only if all entities in the entity's table keep their properties.
///
/// A history without some of its rows would hide changes from clients. An empty history makes the clients' tokens
/// expire, which clients must handle. So one row that can't be translated empties the whole history. Only changes of
/// removed entities may be left out.
package struct HistoryCarriage: Sendable {
  package enum Decision: Sendable, Equatable {
    /// The store has no history.
    case nothing
    /// The number of changes that are kept, and the number dropped because their entities are gone.
    case kept(changes: Int, dropped: Int)
    case emptied(reason: String)
  }

  let decision: Decision
  private let pairing: EntityPairing
  private let tables: [(name: String, columns: [String])]

  package static func none(_ layout: StoreLayout) -> HistoryCarriage {
    Self(decision: .nothing, pairing: .none(from: layout, to: layout), tables: [])
  }

  private init(decision: Decision, pairing: EntityPairing, tables: [(name: String, columns: [String])]) {
    self.decision = decision
    self.pairing = pairing
    self.tables = tables
  }

  /// For a step with mapping models, which make new objects: the recorded changes don't apply to these.
  init(emptying source: SourceStore, _ pairing: EntityPairing) throws(StoreError) {
    self.pairing = pairing
    tables = source.historyTables.map { ($0, source.schema.tables[$0] ?? []) }
    decision = tables.isEmpty ? .nothing : .emptied(reason: "mapping models make new objects")
  }

  /// - Parameter later: The pairings of the later steps.
  init(
    _ source: SourceStore, _ pairing: EntityPairing, later: [EntityPairing] = []
  ) throws(StoreError) {
    self.pairing = pairing
    tables = source.historyTables.map { ($0, source.schema.tables[$0] ?? []) }
    decision = try Self.decide(source, [pairing] + later)
  }

  /// Decides over all steps of a prepared path: if one step can't keep the history, the first step empties it.
  ///
  /// - Returns: `nil` without pairings.
  package init?(of source: SourceStore, _ pairings: [EntityPairing], areInferred: Bool) throws(StoreError) {
    guard let first = pairings.first else { return nil }
    if areInferred {
      try self.init(source, first, later: Array(pairings.dropFirst()))
    } else {
      try self.init(emptying: source, first)
    }
  }

  private static let changes = "ACHANGE"
  private static let columns: Set = [
    "Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
  ]

  private static func decide(
    _ source: SourceStore, _ pairings: [EntityPairing]
  ) throws(StoreError) -> Decision {
    guard !source.historyTables.isEmpty else { return .nothing }
    var rows = 0
    for table in source.historyTables {
      rows += number(try source.rows("SELECT count(*) FROM \(table)").first?.first)
    }
    guard rows > 0 else { return .nothing }
    guard source.historyTables == SourceStore.historyTableNames,
      source.historyTables.allSatisfy({ table in
        source.historyStatements.contains {
          $0.hasPrefix("CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY,")
        }
      }), let found = source.schema.tables[changes], found.contains("ZENTITY")
    else { return .emptied(reason: "its tables differ from the framework's") }
    let surplus = Set(found).subtracting(columns).sorted()
    // For each entity number of the store, the entity number after the steps so far.
    var numbers: [Int: Int] = [:]
    for pair in pairings.first?.pairs ?? [] { numbers[pair.sourceNumber] = pair.sourceNumber }
    var all: Int?
    var kept = 0
    for pairing in pairings {
      let changed = Set(pairing.pairs.filter { !pairing.keepsProperties($0) }.map(\.sourceNumber))
      // The columns in `surplus` hold values of deleted objects. Which of them exist depends on the model's attributes.
      guard surplus.isEmpty || (changed.isEmpty && pairing.isOntoAll) else {
        return .emptied(
          reason: "its columns \(surplus.joined(separator: ", ")) depend on the model, which changes")
      }
      let next = Dictionary(
        pairing.pairs.map { ($0.sourceNumber, $0.destinationNumber) }, uniquingKeysWith: { first, _ in first })
      let counts = try count(
        source, living: numbers.filter { next[$0.value] != nil }.keys.sorted(),
        changed: found.contains("ZCOLUMNS")
          ? numbers.filter { changed.contains($0.value) }.keys.sorted() : [])
      guard counts.untold == 0 else {
        return .emptied(
          reason:
            "\(counts.untold == 1 ? "1 change names" : "\(counts.untold) changes name") properties of entities whose "
            + "properties change, and the numbers of their properties aren't known")
      }
      guard counts.all == 0 || counts.living > 0 else {
        return .emptied(reason: "all of its changes are of removed entities")
      }
      numbers = numbers.compactMapValues { next[$0] }
      all = counts.all
      kept = counts.living
    }
    return .kept(changes: kept, dropped: (all ?? 0) - kept)
  }

  /// Counts all changes, changes of existing entities, and changes that name properties of changed entities.
  private static func count(
    _ source: SourceStore, living: [Int], changed: [Int]
  ) throws(StoreError) -> (all: Int, living: Int, untold: Int) {
    let bits = changed.isEmpty ? "0" : "ZENTITY IN \(changed.list) AND ZCOLUMNS IS NOT NULL"
    let row = try source.rows(
      "SELECT count(*), sum(ifnull(ZENTITY IN \(living.list), 0)), sum(ifnull(\(bits), 0)) "
        + "FROM \(changes) NOT INDEXED"
    ).first
    return (number(row?[0]), number(row?[1]), number(row?[2]))
  }

  private static func number(_ value: SQLiteValue?) -> Int { value?.integer.flatMap { Int(exactly: $0) } ?? 0 }

  private static func list(_ pairs: [EntityPairing.Pair]) -> String {
    "(" + pairs.map { String($0.sourceNumber) }.joined(separator: ", ") + ")"
  }

  package var finding: String? {
    switch decision {
    case .nothing: nil
    case .kept(let changes, 0):
      "Persistent history is kept: \(Self.words(changes)), under the new entity numbers."
    case .kept(let changes, let dropped):
      "Persistent history is kept: \(Self.words(changes)), under the new entity numbers; \(Self.words(dropped)) of "
        + "removed entities \(dropped == 1 ? "is" : "are") left out."
    case .emptied(let reason): "Persistent history is emptied, because \(reason); its counters continue."
    }
  }

  package var isKept: Bool { if case .kept = decision { true } else { false } }

  private static func words(_ changes: Int) -> String { counted(changes, "change") }

  /// For each history table, the SQL condition of the source rows that the destination must have.
  var expected: [(table: String, condition: String)] {
    guard case .kept = decision else { return tables.map { ($0.name, "0") } }
    return tables.map { ($0.name, $0.name == Self.changes ? "ZENTITY IN \(Self.list(pairing.pairs))" : "1") }
  }

  package func filling() -> [Work] {
    guard case .kept = decision else { return [] }
    return tables.map { table in
      let isChanges = table.name == Self.changes
      let values = table.columns.map { column in
        isChanges && column == "ZENTITY"
          ? pairing.renumbering(of: "s.ZENTITY", pairing.pairs) : "s." + quoted(column)
      }
      return Work(
        table.name, stage: .create, extent: .chunks(table: table.name, key: "Z_PK"),
        statements: [
          "INSERT INTO main.\(table.name) (\(table.columns.map(quoted).joined(separator: ", "))) "
            + "SELECT \(values.joined(separator: ", ")) FROM source.\(table.name) AS s NOT INDEXED "
            + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2"
            + (isChanges ? " AND s.ZENTITY IN \(Self.list(pairing.pairs))" : "") + " ORDER BY s.Z_PK"
        ])
    }
  }
}

extension EntityPairing {
  /// Whether the pairs include all concrete entities of both models.
  var isOntoAll: Bool {
    func count(_ model: ManagedObjectModel) -> Int { model.entities.filter { !$0.isAbstract }.count }
    return pairs.count == count(source.model) && pairs.count == count(destination.model)
  }

  /// Whether the entities in both tables of a pair have the same properties, entity by entity in order.
  ///
  /// The pair's own entities must be at the same place in this order. The names of entities may differ.
  func keepsProperties(_ pair: Pair) -> Bool {
    Self.properties(of: pair.source, in: source.model)
      == Self.properties(of: pair.destination, in: destination.model)
  }

  private static func properties(of entity: String, in model: ManagedObjectModel) -> [[String]] {
    let root = model.root(of: entity)?.name ?? entity
    let place = model.family(of: root).firstIndex { $0.name == entity } ?? 0
    return [[String(place)]]
      + model.family(of: root).map { member in
        let attributes = member.attributes.map { "\($0.name) \($0.type) \($0.isTransient) \($0.isDerived)" }
        let relationships = member.relationships.map {
          "\($0.name) \($0.isToMany) \($0.isOrdered) \($0.isTransient)"
        }
        return attributes.sorted() + relationships.sorted()
      }
  }
}
