internal import DecantPasses
package import DecantSQLite

/// The associations that policies make and look up: those of the batch in memory, and those in the working file.
///
/// Associations that fit no run are pairs (`Associations`).
package final class AssociationBook {
  let statements: RowStatements
  /// The entity numbers of the root entities, by name.
  let roots: [String: Int64]
  /// The names of the root entities, by entity number.
  let names: [Int64: String]
  /// The associations of this batch, by mapping.
  private var pending: [Int: PendingPairs] = [:]
  private var recent: (mapping: Int, pairs: PendingPairs)?
  /// The latest association; `nil` if it may have been removed.
  ///
  /// The next look-up is usually for the same source object.
  var latest: (mapping: Int, source: Int64)?
  /// An upper bound for the written source keys, by mapping.
  ///
  /// The bounds are valid while no other code writes associations.
  private var lasts: [Int: Int64] = [:]
  /// Whether the working file may have associations that are pairs.
  var hasPairs: Bool
  var isReversible = false
  /// Whether associations of this batch have been written already.
  var isMidBatch = false
  let database: SQLiteDatabase
  /// The root entity of the destination table, by entity mapping.
  let own: [Int: String]
  /// The entity mappings with `uniqueBy`, whose objects several source objects can share.
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

  /// Discards cached values that statements may have changed.
  func takeUp() { (lasts, latest) = ([:], nil) }

  /// Whether an object of a mapping can have several source objects even without pairs.
  func isShared(_ mapping: Int) -> Bool { shared.contains(mapping) }

  // MARK: Making

  /// Associates a source object with a destination object; an existing association stays.
  package func associate(_ source: Int64, _ destination: RowKey, mapping: Int, isNew: Bool) throws(SQLiteError)
  {
    latest = (mapping, source)
    let pairs = pairs(of: mapping)
    if isNew, !isMidBatch, pairs.extend(source, destination) { return }
    if pairs.contains(source, destination) { return }
    // The association of a new object can be in the file only if the batch was partly written before.
    if !isNew || isMidBatch, try written(source, mapping: mapping).contains(destination) { return }
    pairs.add(.init(source: source, destination: destination, isNew: isNew))
  }

  /// The batch's associations of a mapping, for adding new ones.
  private func pairs(of mapping: Int) -> PendingPairs {
    if let recent, recent.mapping == mapping { return recent.pairs }
    let pairs = pending[mapping] ?? PendingPairs()
    pending[mapping] = pairs
    recent = (mapping, pairs)
    return pairs
  }

  func waiting(_ mapping: Int) -> PendingPairs? {
    if let recent, recent.mapping == mapping { return recent.pairs }
    return pending[mapping]
  }

  /// Whether the pending associations can stay in memory: they are few, and a search in them is fast.
  var canWait: Bool { pending.values.allSatisfy { $0.isAscending && $0.runs.count < Self.mostPending } }
  private static let mostPending = 10_000

  func endBatch() throws(SQLiteError) {
    try write()
    isMidBatch = false
  }

  func write() throws(SQLiteError) {
    let isMidBatch = isMidBatch
    self.isMidBatch = true
    for (mapping, items) in pending.sorted(by: { $0.key < $1.key }) {
      var run: (first: Int64, length: Int64, destination: Int64)?
      if !isMidBatch, try isPlain(items, mapping: mapping), let last = items.runs.last {
        for run in items.runs { try write((run.source, run.length, run.destination), mapping: mapping) }
        lasts[mapping] = last.source + (last.length - 1)
        continue
      }
      let pairs = items.pairs.sorted { ($0.source, $0.destination.key) < ($1.source, $1.destination.key) }
      for item in pairs {
        guard try fitsRun(item, among: items, mapping: mapping) else {
          try statements.run(
            "INSERT OR IGNORE INTO main.\(Associations.pairs) (mapping, source, root, destination) "
              + "VALUES (?, ?, ?, ?)",
            [
              .integer(Int64(mapping)), .integer(item.source),
              .integer(try number(ofRoot: item.destination.root)),
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
      lasts[mapping] = try max(last(mapping), pairs.last?.source ?? .min)
    }
    pending = [:]
    recent = nil
  }

  /// An upper bound for the source keys that have written associations.
  func last(_ mapping: Int) throws(SQLiteError) -> Int64 {
    if let known = lasts[mapping] { return known }
    let number = [SQLiteValue.integer(Int64(mapping))]
    let run = try statements.first(
      "SELECT first + (length - 1) FROM main.\(Associations.runs) WHERE mapping = ? ORDER BY first DESC LIMIT 1",
      number)
    let pair = try statements.first(
      "SELECT max(source) FROM main.\(Associations.pairs) WHERE mapping = ?", number)
    let last = max(run?.integer ?? .min, pair?.integer ?? .min)
    lasts[mapping] = last
    return last
  }

  /// Whether all source keys of a batch come after the written source keys, and each has one new object.
  private func isPlain(_ items: PendingPairs, mapping: Int) throws(SQLiteError) -> Bool {
    guard items.isAscending, !shared.contains(mapping), let first = items.first, first.root == own[mapping]
    else { return false }
    return try first.source > last(mapping)
  }

  private func fitsRun(
    _ item: PendingPairs.Pair, among items: PendingPairs, mapping: Int
  ) throws(SQLiteError) -> Bool {
    guard item.destination.root == own[mapping], items.destinations(of: item.source).count == 1 else {
      return false
    }
    guard shared.contains(mapping) || (item.isNew && items.sources(of: item.destination).count == 1)
    else {
      return false
    }
    // Runs of new objects never share an object, so no written run may have this object.
    if !shared.contains(mapping), try hasWritten(item.destination, mapping: mapping) {
      return false
    }
    return try written(item.source, mapping: mapping).isEmpty
  }

  private func write(
    _ run: (first: Int64, length: Int64, destination: Int64)?, mapping: Int
  ) throws(SQLiteError) {
    guard let run else { return }
    // The new run may continue the last written run.
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
}
