/// One piece of a step: statements that run once or chunk by chunk, each time in a transaction of their own.
struct Work: Sendable {
  /// What a piece is cut along.
  enum Extent: Sendable, Hashable {
    /// The statements run once.
    case whole
    /// Rows of a source table by a key; the statements take the bounds as `?1` (exclusive) and `?2` (inclusive).
    case chunks(table: String, key: String)
  }

  let name: String
  let stage: MigrationProgress.Stage
  let extent: Extent
  /// Counts what there is to do: with 0 the statements are left out.
  let condition: String?
  let statements: [String]
  /// How the statements give objects their keys; `nil` where they give none.
  let numbering: KeyNumbering?
  /// What is done row by row in place of statements.
  let action: RowAction?
  /// The statements, by index, whose changed rows the finding is about; all where there is no choice.
  let counted: Set<Int>?
  /// Counts what the finding is about, after the statements; `nil` where it is the rows that they changed.
  let count: String?
  /// Says what that number means; `nil` where changed rows are the point of the statements.
  let finding: (@Sendable (Int) -> String)?
  /// The join table whose pairs the statements take away.
  let joinTable: String?
  /// The rows of a chunk that the entity mapping asks for; `nil` for the engine's choice.
  let chunkRows: Int?
  /// The pass to which it belongs, from 0.
  let pass: Int

  /// Whether a statement looks at the checkpoint's table, as those do that ask for the time.
  let readsCheckpoint: Bool

  /// The source table that it is cut along; `nil` for a whole.
  var chunkedTable: String? { if case .chunks(let table, _) = extent { table } else { nil } }

  init(
    _ name: String, stage: MigrationProgress.Stage, extent: Extent = .whole, condition: String? = nil,
    statements: [String] = [], action: RowAction? = nil, counted: Set<Int>? = nil, count: String? = nil,
    joinTable: String? = nil, numbering: KeyNumbering? = nil, pass: Int = 0, chunkRows: Int? = nil,
    finding: (@Sendable (Int) -> String)? = nil
  ) {
    self.name = name
    self.stage = stage
    self.extent = extent
    self.condition = condition
    self.statements = statements
    self.action = action
    self.counted = counted
    self.count = count
    self.finding = finding
    self.joinTable = joinTable
    self.numbering = numbering
    self.pass = pass
    self.chunkRows = chunkRows
    readsCheckpoint = statements.contains { $0.contains(Checkpoint.table) }
  }
}
