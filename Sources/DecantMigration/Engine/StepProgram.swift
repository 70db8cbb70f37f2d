internal import DecantExpressions
internal import DecantSQLite
internal import DecantStore

/// What a step does to its working file, whichever mapping it carries out.
///
/// Everything follows from layouts and mappings alone, so that a resumed run finds the same list of work.
protocol StepProgram: Sendable {
  var source: StoreLayout { get }
  var destination: StoreLayout { get }
  /// The names of the mapping models, in order.
  var passNames: [String] { get }
  /// Tables that live in the working file until it is sealed, by name.
  var workTables: [String: String] { get }
  /// What fills the tables, before there are indexes.
  var filling: [Work] { get }
  /// What looks over the filled tables; the indexes make it quick.
  var checking: [Work] { get }

  /// What invalid objects are put aside; `nil` where none are.
  var quarantine: Quarantine? { get }
  /// The entity mappings that associate objects, for those who keep the associations.
  var keptMappings: [KeptMapping] { get }
  /// What the result depends on beside layouts and statements.
  var digestParts: [String] { get }
  /// Whether what a chunk did has to wait for a later commit.
  var holdsCommits: Bool { get }

  /// What the statements of a piece of work with a `KeyNumbering` call; `nil` where there is none.
  var keys: KeyAssignment? { get }

  /// Does what a piece of work does row by row, for the rows of a chunk, within its transaction.
  ///
  /// - Parameters:
  ///   - lower: Exclusive.
  ///   - upper: Inclusive.
  ///   - progress: The part of the step that is done, from 0 to 1.
  ///   - beat: To be called every now and then.
  /// - Returns: How many pairs gave way to what the rows say.
  /// - Throws: `StepFailure.policy`, `SQLiteError`.
  func perform(
    _ action: RowAction, after lower: Int, upTo upper: Int, progress: Float, beat: () -> Void
  ) throws -> Int

  /// Makes ready what the statements of the work call, in a connection that has the source attached.
  ///
  /// - Parameters:
  ///   - time: What `now()` stands for.
  ///   - reading: Makes another connection that has the source attached, to read while this one writes.
  ///   - isStopped: Asked several times a second by what takes long; true where the run should end.
  func prepare(
    _ database: SQLiteDatabase, time: Double, reading: () throws -> SQLiteDatabase,
    isStopped: @escaping @Sendable () -> Bool
  ) throws

  /// Lets go of what `prepare` made ready.
  func close()

  /// What an error that SQLite gave while tables were being filled means.
  ///
  /// - Parameter rows: The source keys of the chunk that failed.
  /// - Throws: `StepFailure`, `SQLiteError`, where finding it out says so itself.
  func explained(
    _ error: SQLiteError, of work: Work, rows: ClosedRange<Int64>, in database: SQLiteDatabase
  ) throws -> any Error

  /// What doesn't hold of the working tables, though it should whatever the step does; only builds with the flag
  /// `DECANT_INVARIANTS` look.
  func contradictions(in database: SQLiteDatabase) throws(SQLiteError) -> [String]

  /// Counts what only filling the tables needed, for `count(in:of:dangling:)`, and lets go of it, within a transaction;
  /// may be done again.
  func forget(in database: SQLiteDatabase) throws(SQLiteError)

  /// Looks at the complete objects by the rules of the destination model, and says what may stay as it is.
  ///
  /// - Throws: `StepFailure.invalid`, `SQLiteError`.
  func validate(in database: SQLiteDatabase) throws -> [String]

  /// Accounts for every source row in the filled file.
  ///
  /// - Parameters:
  ///   - store: The source that is attached.
  ///   - dangling: Pairs that led nowhere, by join table.
  /// - Throws: `StepFailure.rowsDiffer`, `SQLiteError`.
  func count(in database: SQLiteDatabase, of store: SourceStore, dangling: [String: Int]) throws -> StepCounts

  /// The high-water marks that the destination's `Z_PRIMARYKEY` begins with.
  func marks(of store: SourceStore, in database: SQLiteDatabase) throws -> HighWaterMarks
}

/// The rows of a step, for its report.
struct StepCounts {
  var entities: [MigrationReport.EntityRows] = []
  var joinRows: [String: Int] = [:]
  /// Objects by entity that come of no source object.
  var inserted: [String: Int] = [:]
  /// Destination entities of which all associated objects are known to be there, and to be of no other entity.
  var complete: Set<String> = []
}

extension StepProgram {
  /// The objects of a source entity, subentities not counted.
  func sourceRows(of entity: String, in store: SourceStore) throws(SQLiteError) -> Int {
    guard let table = source.table(of: entity), let number = source.entityNumbers[entity] else { return 0 }
    let numbers = source.entityNumbers(inFamilyOf: table.rootEntity)
    return try store.rowCounts(of: table.name, numbers: numbers).byNumber[number] ?? 0
  }

  /// The objects of a destination entity, subentities not counted; where a family has one entity alone, all rows are its.
  func destinationRows(of entity: String, in database: SQLiteDatabase) throws(SQLiteError) -> Int {
    guard let table = destination.table(of: entity), let number = destination.entityNumbers[entity] else {
      return 0
    }
    let isAlone = destination.entityNumbers(inFamilyOf: table.rootEntity) == [number]
    return try database.integer(
      "SELECT count(*) FROM main.\(quoted(table.name))" + (isAlone ? "" : " WHERE Z_ENT = \(number)"))
  }

  var digestParts: [String] { [] }
  var holdsCommits: Bool { false }
  var keys: KeyAssignment? { nil }

  func perform(_ action: RowAction, after lower: Int, upTo upper: Int, progress: Float, beat: () -> Void) -> Int
  { 0 }
  func prepare(
    _ database: SQLiteDatabase, time: Double, reading: () throws -> SQLiteDatabase,
    isStopped: @escaping @Sendable () -> Bool
  ) throws {}
  func close() {}
  func contradictions(in database: SQLiteDatabase) -> [String] { [] }
  func forget(in database: SQLiteDatabase) {}
}
