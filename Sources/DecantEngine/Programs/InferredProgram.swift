internal import DecantExpressions
package import DecantPasses
package import DecantSQLite
package import DecantStore

/// The program of an inferred step.
package struct InferredProgram: StepProgram {
  private let work: InferredWork
  private let history: HistoryCarriage
  package let filling: [Work]
  package let alteration: Alteration?

  var pairing: EntityPairing { work.pairing }
  package var checking: [Work] { work.checking }
  package var passNames: [String] { [work.name] }
  package var source: StoreLayout { pairing.source }
  package var destination: StoreLayout { pairing.destination }
  package var workTables: [String: String] { quarantine == nil ? [:] : Quarantine.workTables }
  package var quarantine: Quarantine? { work.quarantine }
  package var pairQuestions: [PairQuestion] { [] }
  package var passPlan: PassPlan? { nil }

  package var keptMappings: [KeptMapping] {
    pairing.pairs.enumerated().map { index, pair in
      KeptMapping(
        number: index + 1, pass: 1, passName: work.name, name: pair.mapping.name,
        source: pair.source, destination: pair.destination, way: .inferred)
    }
  }

  /// - Parameter alteration: What changes in a copy of the source; `nil` if all tables are written anew.
  package init(_ work: InferredWork, history: HistoryCarriage, alteration: Alteration? = nil) {
    self.work = work
    self.history = history
    self.alteration = alteration
    filling = (alteration.map { work.filling($0) } ?? work.filling) + history.filling()
  }

  package var digestParts: [String] { alteration?.digestParts ?? [] }

  package func prepare(
    _ database: SQLiteDatabase, time: Double, reading: () throws -> SQLiteDatabase,
    isStopped: @escaping @Sendable () -> Bool
  ) throws {
    try ExpressionFunctions.register(in: database, now: time)
  }

  package func validate(in database: SQLiteDatabase) throws -> [String] {
    try work.validation.warnings(in: database)
  }

  package func explained(
    _ error: SQLiteError, of work: Work, rows: ClosedRange<Int64>, in database: SQLiteDatabase
  ) -> any Error { error }

  package func count(in database: SQLiteDatabase, of store: SourceStore, dangling: [String: Int]) throws
    -> StepCounts
  {
    var counts = StepCounts()
    for pair in pairing.pairs {
      let rows = try sourceRows(of: pair.source, in: store)
      // A copied table from which nothing is deleted has the source's rows.
      let isCopied =
        destination.table(of: pair.destination).flatMap { alteration?.keepsAllRows($0.name) } ?? false
      let migrated = isCopied ? rows : try destinationRows(of: pair.destination, in: database)
      let refused =
        quarantine == nil ? 0 : try database.integer(Quarantine.count(entity: pair.destinationNumber))
      guard rows == migrated + refused else {
        throw StepFailure.rowsDiffer(
          entityMapping: pair.mapping.name, source: rows, destination: migrated + refused)
      }
      counts.entities.append(
        .init(entityMapping: pair.mapping.name, source: rows, made: migrated, refused: refused))
    }
    for join in destination.joinTables {
      let migrated = try database.integer("SELECT count(*) FROM main.\(quoted(join.name))")
      counts.joinRows[join.name] = migrated
      let property = join.second.relationship
      try JoinCopy.check(
        RelationshipOrigin(pairing).allStorages(of: property), pairs: migrated + (dangling[join.name] ?? 0),
        name: "\(property)", in: database)
    }
    try checkHistory(in: database)
    return counts
  }

  private func checkHistory(in database: SQLiteDatabase) throws {
    for (table, condition) in history.expected {
      guard
        try database.integer("SELECT count(*) FROM main.sqlite_master WHERE name = ?", [.text(table)]) > 0
      else { continue }
      let rows = try database.integer("SELECT count(*) FROM source.\(table) NOT INDEXED WHERE \(condition)")
      let migrated = try database.integer("SELECT count(*) FROM main.\(table)")
      guard rows == migrated else {
        throw StepFailure.rowsDiffer(entityMapping: table, source: rows, destination: migrated)
      }
    }
  }

  package func marks(of store: SourceStore, in database: SQLiteDatabase) throws -> HighWaterMarks {
    try HighWaterMarks(source: store, pairing: pairing)
  }
}
