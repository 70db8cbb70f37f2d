package import DecantReport

/// One piece of a step: statements or a row-by-row action.
///
/// The piece runs once or chunk by chunk. Usually each run is a transaction of its own, but one transaction may hold
/// several chunks.
package struct Work: Sendable {
  /// How a piece is cut into chunks.
  package enum Extent: Sendable, Hashable {
    /// The statements run once.
    case whole
    /// Each chunk is a range of a key in a source table.
    ///
    /// The statements take the bounds as `?1` (exclusive) and `?2` (inclusive).
    case chunks(table: String, key: String)
  }

  package let name: String
  package let stage: MigrationProgress.Stage
  package let extent: Extent
  /// SQL that counts the work to do; if it gives 0, the statements are skipped.
  package let condition: String?
  /// The source table whose longer rows, those with values after the last column, give the piece something to do.
  ///
  /// If the table certainly has no such rows, the condition isn't run.
  package let longerRowsOf: String?
  package let statements: [String]
  /// How the statements give objects their keys; `nil` if they give none.
  package let numbering: KeyNumbering?
  /// The action that is done row by row instead of the statements; `nil` if the statements run.
  package let action: RowAction?
  /// The indexes of the statements whose changed rows are counted for `finding`; `nil` if all statements count.
  package let counted: Set<Int>?
  /// SQL that runs after the statements and gives the number for `finding`; `nil` for the number of changed rows.
  package let count: String?
  /// Makes the sentence that reports the counted number; `nil` if nothing is reported.
  package let finding: (@Sendable (Int) -> String)?
  /// The join table from which the statements remove pairs.
  package let joinTable: String?
  /// The rows per chunk given by the entity mapping; `nil` for the engine's choice.
  package let chunkRows: Int?
  /// The pass of the piece, from 0.
  package let pass: Int
  /// The filter of the entity mapping, for display; `nil` if the mapping has no filter.
  package var filter: String?

  /// Whether the piece writes lists of targets.
  ///
  /// Its source rows are the owners; an owner with more targets takes longer.
  package var writesLists = false

  /// The kind of the piece; all pieces of one kind have about the same speed.
  package var kind: String {
    var words = [stage.rawValue]
    if action != nil { words.append("by row") }
    if case .chunks(_, let key) = extent, key != "Z_PK" { words.append("pairs") }
    if writesLists { words.append("lists") }
    return words.joined(separator: " ")
  }

  /// Whether a statement reads the checkpoint, for example to get the time.
  package let readsCheckpoint: Bool

  /// The source table from whose rows the piece makes objects, or whose rows it changes; `nil` for other pieces.
  ///
  /// Tables of the history begin with “A”, so they are left out.
  package var objectTable: String? {
    guard stage == .create, case .chunks(let table, "Z_PK") = extent, table.hasPrefix("Z") else { return nil }
    return table
  }

  /// The source table that is cut into chunks; `nil` for `.whole`.
  package var chunkedTable: String? { if case .chunks(let table, _) = extent { table } else { nil } }

  package init(
    _ name: String, stage: MigrationProgress.Stage, extent: Extent = .whole, condition: String? = nil,
    longerRowsOf: String? = nil,
    statements: [String] = [], action: RowAction? = nil, counted: Set<Int>? = nil, count: String? = nil,
    joinTable: String? = nil, numbering: KeyNumbering? = nil, pass: Int = 0, chunkRows: Int? = nil,
    finding: (@Sendable (Int) -> String)? = nil
  ) {
    self.name = name
    self.stage = stage
    self.extent = extent
    self.condition = condition
    self.longerRowsOf = longerRowsOf
    self.statements = statements
    self.action = action
    self.counted = counted
    self.count = count
    self.finding = finding
    self.joinTable = joinTable
    self.numbering = numbering
    self.pass = pass
    self.chunkRows = chunkRows
    readsCheckpoint = statements.contains { $0.contains(Checkpoint.step) }
  }
}
