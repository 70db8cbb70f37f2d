internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// What becomes of persistent history in a step (docs/formats/core-data-sqlite.md 8).
///
/// Rows stay true where the objects that they name keep their keys, as all objects of an inferred step do. Only
/// `ZENTITY` has to be renewed. `ZCOLUMNS` is different: a bit for each property of the changed entity, in an order that
/// isn't known, so that it stays true only where nothing at the entity's family has changed. A history from which such
/// rows were left out would keep clients from seeing those changes, and nothing would tell them. An empty one makes
/// their tokens expire, which they must be able to bear. So one row that can't be told empties the whole history, and
/// where a later step would empty it the first one does.
struct HistoryCarriage: Sendable {
  enum Decision: Sendable, Equatable {
    /// There is nothing to decide.
    case nothing
    /// So many changes go along, so many are of entities that are gone.
    case kept(changes: Int, dropped: Int)
    case emptied(reason: String)
  }

  let decision: Decision
  private let pairing: EntityPairing
  /// Tables with their columns.
  private let tables: [(name: String, columns: [String])]

  /// A store without history.
  static func none(_ layout: StoreLayout) -> HistoryCarriage {
    let nothing = MappingModel(name: "", origin: .inferred, entityMappings: [])
    return Self(
      decision: .nothing, pairing: EntityPairing(source: layout, destination: layout, mappingModel: nothing),
      tables: [])
  }

  private init(decision: Decision, pairing: EntityPairing, tables: [(name: String, columns: [String])]) {
    self.decision = decision
    self.pairing = pairing
    self.tables = tables
  }

  /// A step that runs mapping models makes objects anew, and other changes than those that history tells of.
  init(emptying source: SourceStore, _ pairing: EntityPairing) throws(StoreError) {
    self.pairing = pairing
    tables = source.historyTables.map { ($0, source.schema.tables[$0] ?? []) }
    decision = tables.isEmpty ? .nothing : .emptied(reason: "mapping models make objects anew")
  }

  /// - Parameter later: The pairings of the steps that follow.
  init(
    _ source: SourceStore, _ pairing: EntityPairing, later: [EntityPairing] = []
  ) throws(StoreError) {
    self.pairing = pairing
    tables = source.historyTables.map { ($0, source.schema.tables[$0] ?? []) }
    decision = try Self.decide(source, [pairing] + later)
  }

  /// What becomes of it on a prepared way: one step that can't keep it empties it from the start.
  init?(of source: SourceStore, _ layout: StoreLayout, _ steps: [PreparedJob.Step]) throws(StoreError) {
    let layouts = [layout] + steps.map(\.destinationLayout)
    let nothing = MappingModel(name: "", origin: .inferred, entityMappings: [])
    let pairings = zip(layouts, steps).map { source, step in
      EntityPairing(
        source: source, destination: step.destinationLayout,
        mappingModel: step.mapping?.mappingModel ?? nothing)
    }
    guard let first = pairings.first else { return nil }
    if steps.allSatisfy({ $0.mapping != nil }) {
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
    else { return .emptied(reason: "its tables are not those that the framework makes") }
    let surplus = Set(found).subtracting(columns).sorted()
    // The entity number that each of the store's own has come to.
    var numbers: [Int: Int] = [:]
    for pair in pairings.first?.pairs ?? [] { numbers[pair.sourceNumber] = pair.sourceNumber }
    var all: Int?
    var kept = 0
    for pairing in pairings {
      let changed = Set(pairing.pairs.filter { !pairing.keepsProperties($0) }.map(\.sourceNumber))
      // They hold values of deleted objects; of which attributes, the model says.
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
            + "properties change, and how they are numbered isn't known")
      }
      guard counts.all == 0 || counts.living > 0 else {
        return .emptied(reason: "its changes are all of entities that are gone")
      }
      numbers = numbers.compactMapValues { next[$0] }
      all = counts.all
      kept = counts.living
    }
    return .kept(changes: kept, dropped: (all ?? 0) - kept)
  }

  /// All changes, those of living entities, and those that name properties of changed ones.
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

  /// The sentence for plan and report.
  var finding: String? {
    switch decision {
    case .nothing: nil
    case .kept(let changes, 0):
      "Persistent history is kept: \(Self.words(changes)), under the new entity numbers."
    case .kept(let changes, let dropped):
      "Persistent history is kept: \(Self.words(changes)), under the new entity numbers; \(Self.words(dropped)) of "
        + "entities that are gone \(dropped == 1 ? "is" : "are") left out."
    case .emptied(let reason): "Persistent history is emptied, because \(reason); its counters go on."
    }
  }

  /// Whether the finding is good news.
  var isKept: Bool { if case .kept = decision { true } else { false } }

  private static func words(_ changes: Int) -> String { counted(changes, "change") }

  /// The rows of each table that the destination must have.
  var expected: [(table: String, condition: String)] {
    guard case .kept = decision else { return tables.map { ($0.name, "0") } }
    return tables.map { ($0.name, $0.name == Self.changes ? "ZENTITY IN \(Self.list(pairing.pairs))" : "1") }
  }

  /// What fills the destination's tables.
  func filling() -> [Work] {
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
  /// Whether every entity that has rows goes into one of its own, and there are no others.
  var isOntoAll: Bool {
    func count(_ model: ManagedObjectModel) -> Int { model.entities.filter { !$0.isAbstract }.count }
    return pairs.count == count(source.model) && pairs.count == count(destination.model)
  }

  /// Whether the families of a pair's entities have the same properties, entity by entity.
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
