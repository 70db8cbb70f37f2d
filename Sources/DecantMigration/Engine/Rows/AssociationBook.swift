internal import DecantStore

/// The associations that policies make and look up: those of the batch in memory, all others in the working file.
///
/// New objects with one source object each become runs where keys count up together; everything else is pairs.
final class AssociationBook {
  private struct Pending {
    let source: Int64
    let destination: RowKey
    /// Whether the object was made in this batch.
    let isNew: Bool
  }

  private let statements: RowStatements
  private let roots: [String: Int64]
  private let names: [Int64: String]
  private var pending: [Int: [Pending]] = [:]
  private var bySource: [Int: [Int64: [RowKey]]] = [:]
  private var byDestination: [Int: [RowKey: [Int64]]] = [:]
  private var hasPairs: Bool
  private var isReversible = false
  /// Whether associations of this batch have been written already.
  private var isMidBatch = false
  private let database: SQLiteDatabase
  /// The destination family of each entity mapping.
  private let own: [Int: String]
  /// Entity mappings whose objects come from several source objects each: a run for each of these.
  private let shared: Set<Int>

  init(_ database: SQLiteDatabase, plan: PassPlan) throws(SQLiteError) {
    self.database = database
    statements = RowStatements(database)
    let pairs = plan.destination.tables.compactMap { table in
      plan.destination.entityNumbers[table.rootEntity].map { (table.rootEntity, Int64($0)) }
    }
    roots = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    names = Dictionary(pairs.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    own = Dictionary(
      plan.mappings.map { ($0.number, $0.destinationTable.rootEntity) }, uniquingKeysWith: { first, _ in first }
    )
    shared = Set(plan.mappings.filter { $0.mapping.uniqueBy != nil }.map(\.number))
    hasPairs = try database.integer("SELECT EXISTS (SELECT 1 FROM main.\(Associations.pairs))") > 0
  }

  // MARK: Making

  /// Associates a source object with a destination object; what is associated already stays so.
  func associate(_ source: Int64, _ destination: RowKey, mapping: Int, isNew: Bool) throws(SQLiteError) {
    if byDestination[mapping]?[destination]?.contains(source) ?? false { return }
    // A new object can only have been written where the batch was written before its end.
    if !isNew || isMidBatch, try written(source, mapping: mapping).contains(destination) { return }
    pending[mapping, default: []].append(Pending(source: source, destination: destination, isNew: isNew))
    bySource[mapping, default: [:]][source, default: []].append(destination)
    byDestination[mapping, default: [:]][destination, default: []].append(source)
  }

  /// Writes the associations of the batch at its end.
  func endBatch() throws(SQLiteError) {
    try write()
    isMidBatch = false
  }

  private func write() throws(SQLiteError) {
    isMidBatch = true
    for (mapping, items) in pending.sorted(by: { $0.key < $1.key }) {
      var run: (first: Int64, length: Int64, destination: Int64)?
      for item in items.sorted(by: { ($0.source, $0.destination.key) < ($1.source, $1.destination.key) }) {
        guard try fitsRun(item, mapping: mapping) else {
          try statements.run(
            "INSERT OR IGNORE INTO main.\(Associations.pairs) (mapping, source, root, destination) "
              + "VALUES (?, ?, ?, ?)",
            [
              .integer(Int64(mapping)), .integer(item.source), .integer(roots[item.destination.root] ?? 0),
              .integer(item.destination.key),
            ])
          hasPairs = true
          continue
        }
        if !shared.contains(mapping), let known = run, known.first + known.length == item.source,
          known.destination + known.length == item.destination.key
        {
          run = (known.first, known.length + 1, known.destination)
        } else {
          try write(run, mapping: mapping)
          run = (item.source, 1, item.destination.key)
        }
      }
      try write(run, mapping: mapping)
    }
    pending = [:]
    bySource = [:]
    byDestination = [:]
  }

  private func fitsRun(_ item: Pending, mapping: Int) throws(SQLiteError) -> Bool {
    guard item.destination.root == own[mapping], bySource[mapping]?[item.source]?.count == 1 else {
      return false
    }
    guard shared.contains(mapping) || (item.isNew && byDestination[mapping]?[item.destination]?.count == 1)
    else {
      return false
    }
    // Runs of new objects never share one: what has been written mid-batch may be this object's.
    if isMidBatch, !shared.contains(mapping), try hasWritten(item.destination, mapping: mapping) {
      return false
    }
    return try written(item.source, mapping: mapping).isEmpty
  }

  private func write(
    _ run: (first: Int64, length: Int64, destination: Int64)?, mapping: Int
  ) throws(SQLiteError) {
    guard let run else { return }
    // The last run may go on here.
    let before: [[SQLiteValue]] =
      shared.contains(mapping)
      ? []
      : try statements.rows(
        "SELECT first FROM main.\(Associations.runs) WHERE mapping = ?1 AND first = (SELECT max(first) FROM "
          + "main.\(Associations.runs) WHERE mapping = ?1 AND first < ?2) AND first + length = ?2 "
          + "AND destination + length = ?3",
        [.integer(Int64(mapping)), .integer(run.first), .integer(run.destination)])
    if let first = before.first?.first {
      try statements.run(
        "UPDATE main.\(Associations.runs) SET length = length + ?3 WHERE mapping = ?1 AND first = ?2",
        [.integer(Int64(mapping)), first, .integer(run.length)])
    } else {
      try statements.run(
        "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) VALUES (?, ?, ?, ?)",
        [.integer(Int64(mapping)), .integer(run.first), .integer(run.length), .integer(run.destination)])
    }
  }

  // MARK: Looking up

  /// What a mapping has made of a source object, in order.
  func destinations(of source: Int64, mapping: Int) throws(SQLiteError) -> [RowKey] {
    try written(source, mapping: mapping) + (bySource[mapping]?[source] ?? [])
  }

  private func written(_ source: Int64, mapping: Int) throws(SQLiteError) -> [RowKey] {
    var keys: [RowKey] = []
    if let root = own[mapping],
      let key = try statements.first(
        "SELECT destination + ?2 - first FROM main.\(Associations.runs) WHERE mapping = ?1 AND first = (SELECT "
          + "max(first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?2) AND ?2 < first + length",
        [.integer(Int64(mapping)), .integer(source)])?.integer
    {
      keys.append(RowKey(root: root, key: key))
    }
    guard hasPairs else { return keys }
    let rows = try statements.rows(
      "SELECT root, destination FROM main.\(Associations.pairs) WHERE mapping = ? AND source = ? ORDER BY 1, 2",
      [.integer(Int64(mapping)), .integer(source)])
    return keys + rows.compactMap(key)
  }

  private func hasWritten(_ destination: RowKey, mapping: Int) throws(SQLiteError) -> Bool {
    let pending = byDestination.removeValue(forKey: mapping)
    defer { byDestination[mapping] = pending }
    return try firstSource(of: destination, mapping: mapping) != nil
  }

  private func key(_ row: [SQLiteValue]) -> RowKey? {
    guard let root = row.first?.integer.flatMap({ names[$0] }), let key = row.last?.integer else { return nil }
    return RowKey(root: root, key: key)
  }

  /// The source objects of which a mapping has made a destination object, in order.
  func sources(of destination: RowKey, mapping: Int) throws(SQLiteError) -> [Int64] {
    try reverse()
    var found: Set<Int64> = Set(byDestination[mapping]?[destination] ?? [])
    if destination.root == own[mapping] {
      let values: [SQLiteValue] = [.integer(Int64(mapping)), .integer(destination.key)]
      // Runs that begin at the key, and the nearest one before, which may reach it.
      let rows = try statements.rows(
        "SELECT first FROM main.\(Associations.runs) WHERE mapping = ?1 AND destination = ?2 UNION "
          + "SELECT first + ?2 - destination FROM (SELECT first, length, destination FROM main.\(Associations.runs) "
          + "WHERE mapping = ?1 AND destination < ?2 ORDER BY destination DESC LIMIT 1) "
          + "WHERE ?2 < destination + length", values)
      found.formUnion(rows.compactMap { $0.first?.integer })
    }
    if hasPairs {
      let rows = try statements.rows(
        "SELECT source FROM main.\(Associations.pairs) WHERE mapping = ? AND root = ? AND destination = ?",
        [.integer(Int64(mapping)), .integer(roots[destination.root] ?? 0), .integer(destination.key)])
      found.formUnion(rows.compactMap { $0.first?.integer })
    }
    return found.sorted()
  }

  /// The first of the source objects of which a mapping has made a destination object.
  func firstSource(of destination: RowKey, mapping: Int) throws(SQLiteError) -> Int64? {
    try reverse()
    var first = byDestination[mapping]?[destination]?.min()
    func take(_ text: String, _ values: [SQLiteValue]) throws(SQLiteError) {
      guard let source = try statements.first(text, values)?.integer else { return }
      first = first.map { min($0, source) } ?? source
    }
    if destination.root == own[mapping] {
      let values: [SQLiteValue] = [.integer(Int64(mapping)), .integer(destination.key)]
      try take(
        "SELECT min(first) FROM main.\(Associations.runs) WHERE mapping = ? AND destination = ?", values)
      try take(
        "SELECT first + ?2 - destination FROM (SELECT first, length, destination FROM main.\(Associations.runs) "
          + "WHERE mapping = ?1 AND destination < ?2 ORDER BY destination DESC LIMIT 1) "
          + "WHERE ?2 < destination + length", values)
    }
    if hasPairs {
      try take(
        "SELECT min(source) FROM main.\(Associations.pairs) WHERE mapping = ? AND root = ? AND destination = ?",
        [.integer(Int64(mapping)), .integer(roots[destination.root] ?? 0), .integer(destination.key)])
    }
    return first
  }

  private func reverse() throws(SQLiteError) {
    guard !isReversible else { return }
    try database.execute(
      "CREATE INDEX IF NOT EXISTS main.\(Associations.runs)_BACK ON \(Associations.runs) (mapping, destination); "
        + "CREATE INDEX IF NOT EXISTS main.\(Associations.pairs)_BACK ON \(Associations.pairs) "
        + "(mapping, root, destination)")
    isReversible = true
  }

  /// Everything that a mapping has associated with source keys in a range, in the order of the source keys.
  ///
  /// - Parameters:
  ///   - lower: Exclusive.
  ///   - limit: How many are wanted at most.
  func associations(
    mapping: Int, after lower: Int64, upTo upper: Int64, limit: Int
  ) throws(SQLiteError) -> [(source: Int64, destination: RowKey)] {
    try write()
    guard let table = own[mapping].flatMap({ roots[$0] }) else { return [] }
    // Runs are taken apart by a recursive count.
    let rows = try statements.rows(
      "WITH RECURSIVE own(first, length, destination) AS (SELECT max(first, ?2 + 1), "
        + "min(first + length, CASE WHEN ?3 = \(Int64.max) THEN ?3 ELSE ?3 + 1 END) - max(first, ?2 + 1), "
        + "destination + max(first, ?2 + 1) - first FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?3 "
        + "AND first + length > ?2 + 1), one(source, rest, destination) AS (SELECT first, length, destination FROM own "
        + "WHERE length > 0 UNION ALL SELECT source + 1, rest - 1, destination + 1 FROM one WHERE rest > 1) "
        + "SELECT source, \(table), destination FROM one UNION ALL SELECT source, root, destination FROM "
        + "main.\(Associations.pairs) WHERE mapping = ?1 AND source > ?2 AND source <= ?3 ORDER BY 1, 2, 3 LIMIT ?4",
      [.integer(Int64(mapping)), .integer(lower), .integer(upper), .integer(Int64(limit))])
    return rows.compactMap { row in
      guard let source = row.first?.integer, let key = key(Array(row.dropFirst())) else { return nil }
      return (source, key)
    }
  }

  // MARK: Taking away

  /// Forgets a destination object that is deleted.
  ///
  /// - Returns: The source keys of which a mapping has made nothing else, by mapping.
  func forget(_ destination: RowKey) throws(SQLiteError) -> [Int: [Int64]] {
    try write()
    var left: [Int: [Int64]] = [:]
    for (mapping, root) in own where root == destination.root || hasPairs {
      for source in try sources(of: destination, mapping: mapping) {
        try split(mapping: mapping, source: source, destination: destination.key)
        try statements.run(
          "DELETE FROM main.\(Associations.pairs) WHERE mapping = ? AND source = ? AND root = ? AND destination = ?",
          [
            .integer(Int64(mapping)), .integer(source), .integer(roots[destination.root] ?? 0),
            .integer(destination.key),
          ])
        if try destinations(of: source, mapping: mapping).isEmpty { left[mapping, default: []].append(source) }
      }
    }
    return left
  }

  /// Takes one source key out of the run that has it.
  private func split(mapping: Int, source: Int64, destination: Int64) throws(SQLiteError) {
    let rows = try statements.rows(
      "SELECT first, length, destination FROM main.\(Associations.runs) WHERE mapping = ?1 AND first = (SELECT "
        + "max(first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?2) AND ?2 < first + length "
        + "AND destination + ?2 - first = ?3",
      [.integer(Int64(mapping)), .integer(source), .integer(destination)])
    guard let row = rows.first, row.count == 3, let first = row[0].integer, let length = row[1].integer,
      let start = row[2].integer
    else { return }
    let before = source - first
    let number = SQLiteValue.integer(Int64(mapping))
    if before == 0 {
      try statements.run(
        "DELETE FROM main.\(Associations.runs) WHERE mapping = ? AND first = ?", [number, .integer(first)])
    } else {
      try statements.run(
        "UPDATE main.\(Associations.runs) SET length = ?3 WHERE mapping = ?1 AND first = ?2",
        [number, .integer(first), .integer(before)])
    }
    if length - before > 1 {
      try statements.run(
        "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) VALUES (?, ?, ?, ?)",
        [number, .integer(source + 1), .integer(length - before - 1), .integer(start + before + 1)])
    }
  }
}
