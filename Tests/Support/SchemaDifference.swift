/// The difference of a genuine store's statements from the statements of its layout.
public enum SchemaDifference: Hashable, Sendable, CustomStringConvertible {
  /// The same statements in the same order.
  case none
  /// The join tables of one entity are created in another order, which has no meaning
  /// (docs/formats/core-data-sqlite.md 4.5).
  case joinTableOrder
  /// The indexes of one entity are created in another order.
  case indexOrder
  /// The indexes are created after `Z_PRIMARYKEY`, `Z_METADATA` and `Z_MODELCACHE`.
  case indexesLast
  /// The same statements, but the administrative tables aren't last: the sign of a migration by framework 866 or before
  /// (docs/formats/core-data-sqlite.md 9.3).
  case places
  /// As `places`, with that number of indexes of older models or frameworks (docs/formats/core-data-sqlite.md 9.2).
  case staleIndexes(Int)
  /// Tables were changed in place by ALTER TABLE (docs/formats/core-data-sqlite.md 9.1) and have the layout's
  /// columns.
  ///
  /// Indexes have old names (docs/formats/core-data-sqlite.md 9.2). The numbers count tables and indexes with another
  /// text.
  case alteredInPlace(tables: Int, indexes: Int)
  /// Anything else.
  case unexplained(missing: [String], surplus: [String])

  public init(genuine: [String], ours: [String]) {
    let (theirSet, ourSet) = (Set(genuine), Set(ours))
    let missing = ours.filter { !theirSet.contains($0) }
    let surplus = genuine.filter { !ourSet.contains($0) }
    if genuine == ours {
      self = .none
    } else if missing.isEmpty, surplus.isEmpty {
      self = Self.order(genuine, ours)
    } else if missing.isEmpty, surplus.allSatisfy({ $0.hasPrefix("CREATE INDEX ") }) {
      self = .staleIndexes(surplus.count)
    } else if missing.contains(where: Self.isTable),
      surplus.allSatisfy({ Self.isAltered($0) || $0.hasPrefix("CREATE INDEX ") })
    {
      self = .alteredInPlace(
        tables: missing.filter(Self.isTable).count, indexes: missing.filter { !Self.isTable($0) }.count)
    } else {
      self = .unexplained(missing: missing, surplus: surplus)
    }
  }

  private static func order(_ genuine: [String], _ ours: [String]) -> Self {
    if sorted(genuine) == sorted(ours) { return .joinTableOrder }
    guard genuine.filter(isTable) == ours.filter(isTable) else { return .places }
    return genuine.last.map(isTable) == true ? .indexOrder : .indexesLast
  }

  /// Sorts each series of statements that create join tables and their indexes.
  private static func sorted(_ statements: [String]) -> [String] {
    var result: [String] = []
    var run: [String] = []
    for statement in statements {
      if isJoin(statement) {
        run.append(statement)
      } else {
        result += run.sorted() + [statement]
        run = []
      }
    }
    return result + run.sorted()
  }

  private static func isJoin(_ statement: String) -> Bool {
    let name = statement.split(separator: " ").dropFirst(2).first ?? ""
    return name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
  }

  private static func isTable(_ statement: String) -> Bool { statement.hasPrefix("CREATE TABLE ") }

  /// Whether ALTER TABLE has changed a table: it quotes a new name, and adds columns after a space and a comma.
  private static func isAltered(_ statement: String) -> Bool {
    isTable(statement)
      && (statement.hasPrefix("CREATE TABLE \"") || statement.contains(" , ") || !statement.hasSuffix(" )"))
  }

  public var description: String {
    switch self {
    case .none: "none"
    case .joinTableOrder: "order of join tables"
    case .indexOrder: "order of indexes"
    case .indexesLast: "indexes last"
    case .places: "places"
    case .staleIndexes(let count): "\(count) stale indexes"
    case .alteredInPlace(let tables, let indexes):
      "\(tables) tables altered in place, \(indexes) indexes under old names"
    case .unexplained(let missing, let surplus): "missing \(missing.prefix(3)), surplus \(surplus.prefix(3))"
    }
  }
}
