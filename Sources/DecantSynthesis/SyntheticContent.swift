internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The content of a synthetic store, computed from the model, the numbers of rows and the seed.
struct SyntheticContent {
  private let layout: StoreLayout
  private let counts: [String: Int]
  private let invented: InventedLinks
  private let unique: UniqueNumbers
  private let hasExtremes: Bool
  /// The number of rows per transaction.
  private static let batch = 20_000

  init(_ layout: StoreLayout, counts: [String: Int], seed: UInt64, hasExtremes: Bool)
    throws(GeneratingError)
  {
    self.hasExtremes = hasExtremes
    self.layout = layout
    self.counts = counts
    var populations: [String: Population] = [:]
    for table in layout.tables {
      populations[table.rootEntity] = Population(
        of: table.rootEntity, layout: layout, counts: counts, seed: seed)
    }
    invented = InventedLinks(layout: layout, populations: populations, seed: seed)
    unique = try UniqueNumbers(layout, populations: populations)
  }

  func write(to path: String, progress: (SyntheticStore.Progress) -> Void) throws -> SyntheticStore.Summary {
    let store = try DestinationStore(at: path, layout: layout)
    let external = ExternalFiles(besideStore: path)
    var summary = SyntheticStore.Summary(entities: counts)
    var state = SyntheticStore.Progress(table: nil, rowsDone: 0, rowsTotal: counts.values.reduce(0, +))
    do {
      // No commit waits for the disk: if the power fails, the same store can be generated again.
      try store.database.execute("PRAGMA synchronous=OFF")
      for table in layout.tables {
        guard let population = invented.populations[table.rootEntity] else { continue }
        let rows = try TableRows(
          table, population: population, invented: invented, unique: unique, hasExtremes: hasExtremes,
          in: store.database)
        summary.shortcomings += rows.shortcomings
        state.table = table.name
        for start in stride(from: 0, to: population.count, by: Self.batch) {
          let places = start..<min(start + Self.batch, population.count)
          try store.database.execute("BEGIN IMMEDIATE")
          try rows.write(places, external: external)
          try store.database.execute("COMMIT")
          state.rowsDone += places.count
          progress(state)
        }
      }
      for join in layout.joinTables {
        state.table = join.name
        progress(state)
        guard let pairs = JoinPairs(join, invented: invented) else { continue }
        if let shortcoming = pairs.shortcoming { summary.shortcomings.append(shortcoming) }
        summary.joinRows[join.name] = try write(pairs, into: join, of: store.database)
      }
      state.table = nil
      progress(state)
      for statement in try store.missingIndexes() { try store.database.execute(statement) }
      try computeDerivedCounts(in: store.database)
      try store.finish(metadata: metadata(), maxima: maxima, usesWriteAheadLog: true)
    } catch let error as SQLiteError {
      throw StoreError.sqlite(error)
    }
    summary.externalFiles = external.count
    return summary
  }

  private func write(
    _ pairs: JoinPairs, into join: StoreLayout.JoinTable, of database: SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    // Each column holds the targets of its own relationship. The first column belongs to the inverse, so it holds the
    // owners.
    let orders = [join.first.orderColumn, join.second.orderColumn]
    let columns = [join.first.column, join.second.column] + orders.compactMap { $0 }
    let statement = try database.prepare(
      "INSERT INTO \(join.name) (\(columns.joined(separator: ", "))) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    let (owners, targets) = pairs.populations
    var count = 0
    try database.execute("BEGIN IMMEDIATE")
    try pairs.forEach { pair throws(SQLiteError) in
      try statement.bind(.integer(Int64(owners.key(of: pair.owner))), at: 1)
      try statement.bind(.integer(Int64(targets.key(of: pair.target))), at: 2)
      var index = 3
      for (column, place) in zip(orders, [pair.placeOfOwner, pair.placeOfTarget]) where column != nil {
        try statement.bind(.integer(OrderingKeys.key(at: place)), at: index)
        index += 1
      }
      try statement.run()
      count += 1
      if count % Self.batch == 0 { try database.execute("COMMIT; BEGIN IMMEDIATE") }
    }
    try database.execute("COMMIT")
    return count
  }

  /// Computes the counts that triggers normally keep (docs/formats/core-data-sqlite.md 5.6).
  private func computeDerivedCounts(in database: SQLiteDatabase) throws(SQLiteError) {
    for table in layout.tables {
      for entity in layout.model.family(of: table.rootEntity) {
        for attribute in entity.attributes where !attribute.isTransient {
          guard let expression = attribute.derivationExpression,
            case .count(let child, let key)? = DerivationKind(expression, entity: entity.name, layout: layout),
            let column = layout.attributeColumn(attribute.name, of: entity.name)
          else { continue }
          let numbers = layout.entityNumbers(inFamilyOf: entity.name).map(String.init).joined(separator: ", ")
          try database.execute(
            "UPDATE \(table.name) SET \(column) = "
              + "(SELECT count(*) FROM \(child) AS child WHERE child.\(key) = \(table.name).Z_PK) "
              + "WHERE Z_ENT IN (\(numbers))")
        }
      }
    }
  }

  private var maxima: [String: Int] { invented.populations.mapValues(\.highWaterMark) }

  /// The metadata; the UUID is derived from the seed, the model's version hashes and the numbers of rows.
  private func metadata() -> StoreMetadata {
    var random = SplitMix64(SplitMix64.seed(invented.seed, layout.model.entityVersionHashes.digest))
    for name in counts.keys.sorted(by: NameOrder.codePoints) {
      random = SplitMix64(SplitMix64.seed(random.next(), "\(name) \(counts[name] ?? 0)"))
    }
    return StoreMetadata(uuid: ExternalFiles.uuid(&random).uuidString, entries: [:])
      .updated(for: layout.model, framework: layout.framework)
  }
}
