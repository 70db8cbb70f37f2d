internal import DecantModel
internal import DecantStore

/// What becomes of persistent history in a step (core-data-sqlite.md 8).
///
/// Rows stay true where the objects that they name keep their keys, as all objects of an inferred step do. Only
/// `ZENTITY` has to be renewed. `ZCOLUMNS` is different: a bit for each property of the changed entity, in an order that
/// isn't known, so that it stays true only where nothing at the entity's family has changed. A history from which such
/// rows were left out would keep clients from seeing those changes, and nothing would tell them. An empty one makes
/// their tokens expire, which they must be able to bear. So one row that can't be told empties the whole history.
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

  init(_ source: SourceStore, _ pairing: EntityPairing) throws(StoreError) {
    self.pairing = pairing
    tables = source.historyTables.map { ($0, source.schema.tables[$0] ?? []) }
    decision = try Self.decide(source, pairing)
  }

  private static let changes = "ACHANGE"
  private static let columns: Set = [
    "Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
  ]

  private static func decide(_ source: SourceStore, _ pairing: EntityPairing) throws(StoreError) -> Decision {
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
    let changed = pairing.pairs.filter { !pairing.keepsProperties($0) }
    let surplus = Set(found).subtracting(columns).sorted()
    // They hold values of deleted objects; of which attributes, the model says.
    guard surplus.isEmpty || (changed.isEmpty && pairing.isOntoAll) else {
      return .emptied(
        reason: "its columns \(surplus.joined(separator: ", ")) depend on the model, which changes")
    }
    let bits =
      found.contains("ZCOLUMNS") ? "ZENTITY IN \(list(changed)) AND ZCOLUMNS IS NOT NULL" : "0"
    let row = try source.rows(
      "SELECT count(*), sum(ifnull(ZENTITY IN \(list(pairing.pairs)), 0)), sum(ifnull(\(bits), 0)) "
        + "FROM \(changes) NOT INDEXED"
    ).first
    let (all, kept, untold) = (number(row?[0]), number(row?[1]), number(row?[2]))
    guard untold == 0 else {
      return .emptied(
        reason:
          "\(untold == 1 ? "1 change names" : "\(untold) changes name") properties of entities whose properties "
          + "change, and how they are numbered isn't known")
    }
    guard all == 0 || kept > 0 else {
      return .emptied(reason: "its changes are all of entities that are gone")
    }
    return .kept(changes: kept, dropped: all - kept)
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

  /// Whether a step's sentence is that of a history that is kept.
  static func isGoodNews(_ sentence: String) -> Bool { sentence.hasPrefix("Persistent history is kept: ") }

  /// Whether the finding is good news.
  var isKept: Bool { if case .kept = decision { true } else { false } }

  private static func words(_ changes: Int) -> String { changes == 1 ? "1 change" : "\(changes) changes" }

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
