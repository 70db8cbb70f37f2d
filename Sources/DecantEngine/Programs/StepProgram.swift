internal import DecantExpressions
package import DecantPasses
internal import DecantReport
package import DecantSQLite
package import DecantStore

/// The work of a step on its working file, for every kind of mapping.
///
/// The work depends on the step's inputs, but not on the progress. So a resumed run has the same list of work.
package protocol StepProgram: Sendable {
  var source: StoreLayout { get }
  var destination: StoreLayout { get }
  /// The names of the mapping models, in order.
  var passNames: [String] { get }
  /// Decant's own tables in the working file, which `StepRun.seal` drops: their CREATE statements by name.
  var workTables: [String: String] { get }
  /// The work that fills the tables, before the indexes are created.
  var filling: [Work] { get }
  /// The work that checks the filled tables; the indexes make it fast.
  var checking: [Work] { get }

  /// What the work changes in a copy of the source; `nil` if it fills an empty store.
  var alteration: Alteration? { get }

  /// How invalid objects are quarantined; `nil` if they aren't.
  var quarantine: Quarantine? { get }
  /// The entity mappings whose associations can be copied into an association file.
  var keptMappings: [KeptMapping] { get }
  /// Texts for the step's digest: the inputs of the result that are in neither the layouts nor the statements.
  var digestParts: [String] { get }
  /// Whether a chunk's changes must wait for a later commit.
  var holdsCommits: Bool { get }

  /// The SQL functions for statements with a `KeyNumbering`; `nil` if no statement has one.
  var keys: KeyAssignment? { get }

  /// The source relationships whose pairs are searched for in the destination when the step ends.
  var pairQuestions: [PairQuestion] { get }
  /// The numbered entity mappings; `nil` for an inferred step.
  var passPlan: PassPlan? { get }

  /// Performs a piece of work row by row, for the rows of a chunk, within its transaction.
  ///
  /// - Parameters:
  ///   - lower: The lower bound of the source keys, exclusive.
  ///   - upper: The upper bound of the source keys, inclusive.
  ///   - progress: The part of the step that is done, from 0 to 1.
  ///   - beat: Must be called now and then.
  /// - Returns: The number of relationship pairs that relationship mappings removed or replaced. For
  ///   `RowAction.finish`, the number of links that couldn't be set.
  /// - Throws: `StepFailure`, `PolicyProblem`, `SQLiteError`.
  func perform(
    _ action: RowAction, after lower: Int, upTo upper: Int, progress: Float, beat: () -> Void
  ) throws -> Int

  /// Prepares the work in a connection with the source attached.
  ///
  /// Makes the functions that the statements call, and what `perform` needs.
  ///
  /// - Parameters:
  ///   - time: The value of `now()`.
  ///   - reading: Makes another connection with the source attached, for reading while `database` writes.
  ///   - isStopped: Asked several times a second during long work. True ends the run.
  func prepare(
    _ database: SQLiteDatabase, time: Double, reading: () throws -> SQLiteDatabase,
    isStopped: @escaping @Sendable () -> Bool
  ) throws

  /// Releases what `prepare` made.
  func close()

  /// Explains an SQLite error that occurred while tables were filled.
  ///
  /// - Parameter rows: The source keys of the chunk that failed; the lower bound is exclusive.
  /// - Returns: The error to report: a `StepFailure`, or the SQLite error itself.
  /// - Throws: `SQLiteError` if the search for the cause fails itself.
  func explained(
    _ error: SQLiteError, of work: Work, rows: ClosedRange<Int64>, in database: SQLiteDatabase
  ) throws -> any Error

  /// The contradictions in the working tables, which would be faults of the engine.
  ///
  /// Only builds with the flag `DECANT_INVARIANTS` search for them.
  func contradictions(in database: SQLiteDatabase) throws(SQLiteError) -> [String]

  /// Removes data that was needed only to fill the tables; first saves the counts that `count(in:of:dangling:)` needs.
  ///
  /// Runs within a transaction and may be repeated.
  func forget(in database: SQLiteDatabase) throws(SQLiteError)

  /// Checks the complete objects against the rules of the destination model.
  ///
  /// - Returns: Sentences about broken rules that don't make the step fail, and about rules that can't be checked.
  /// - Throws: `StepFailure.invalid`, `StepFailure.badValue`, `SQLiteError`.
  func validate(in database: SQLiteDatabase) throws -> [String]

  /// Accounts for every source row in the filled file.
  ///
  /// - Parameters:
  ///   - store: The attached source.
  ///   - dangling: For each join table, the number of pairs that were removed because an object of the pair is missing
  ///     or quarantined.
  /// - Throws: `StepFailure.rowsDiffer`, `StepFailure.objectsDiffer`, `SQLiteError`.
  func count(in database: SQLiteDatabase, of store: SourceStore, dangling: [String: Int]) throws -> StepCounts

  /// The lowest values that the high-water marks in the destination's `Z_PRIMARYKEY` may have.
  func marks(of store: SourceStore, in database: SQLiteDatabase) throws -> HighWaterMarks
}

/// The row counts of a step, for its report.
package struct StepCounts {
  var entities: [MigrationReport.EntityRows] = []
  var joinRows: [String: Int] = [:]
  /// Objects without a source object, by entity.
  var inserted: [String: Int] = [:]
  /// Destination entities whose associated objects are known to exist and to be of that entity.
  var complete: Set<String> = []
}

extension StepProgram {
  /// The number of objects of a source entity, without subentities.
  package func sourceRows(of entity: String, in store: SourceStore) throws(SQLiteError) -> Int {
    guard let table = source.table(of: entity), let number = source.entityNumbers[entity] else { return 0 }
    let numbers = source.entityNumbers(inFamilyOf: table.rootEntity)
    return try store.rowCounts(of: table.name, numbers: numbers).byNumber[number] ?? 0
  }

  /// The number of objects of a destination entity, without subentities.
  package func destinationRows(of entity: String, in database: SQLiteDatabase) throws(SQLiteError) -> Int {
    guard let table = destination.table(of: entity), let number = destination.entityNumbers[entity] else {
      return 0
    }
    let isAlone = destination.entityNumbers(inFamilyOf: table.rootEntity) == [number]
    return try database.integer(
      "SELECT count(*) FROM main.\(quoted(table.name))" + (isAlone ? "" : " WHERE Z_ENT = \(number)"))
  }

  package var alteration: Alteration? { nil }
  package var digestParts: [String] { [] }
  package var holdsCommits: Bool { false }
  package var keys: KeyAssignment? { nil }

  package func perform(
    _ action: RowAction, after lower: Int, upTo upper: Int, progress: Float, beat: () -> Void
  ) -> Int { 0 }
  package func prepare(
    _ database: SQLiteDatabase, time: Double, reading: () throws -> SQLiteDatabase,
    isStopped: @escaping @Sendable () -> Bool
  ) throws {}
  package func close() {}
  package func contradictions(in database: SQLiteDatabase) -> [String] { [] }
  package func forget(in database: SQLiteDatabase) {}
}
