/// What an observer is told after each chunk and at each change of stage; also a line of a worker's output.
public struct MigrationProgress: Sendable, Hashable, Codable {
  /// The stages of a pass, and what comes before and after them in a step.
  public enum Stage: String, Sendable, Codable {
    /// Copying, checking and reading the source.
    case open
    case create
    case relate
    case validate
    /// Indexes, metadata, checks, fsync.
    case finish
  }

  /// The step, from 1, of how many; 0 of 0, and no versions yet, while the store is being checked.
  public var step: Int
  public var steps: Int
  /// Names of the step's versions.
  public var sourceVersion: String
  public var destinationVersion: String
  /// The pass within the step, from 1, of how many, and the mapping model's name.
  public var pass: Int
  public var passes: Int
  public var passName: String
  public var stage: Stage
  /// The entity mapping or table at work; `nil` between them.
  public var entityMapping: String?
  /// The chunk within the entity mapping, from 1, of how many; 0 of 0 where a stage has none.
  public var chunk: Int
  public var chunks: Int
  /// Rows done and to do within the step, all its passes and stages counted.
  public var rowsDone: Int
  public var rowsTotal: Int
  /// Those of them that belong to the pass, all stages counted.
  public var passRowsDone: Int
  public var passRowsTotal: Int
  /// The store's family; `nil` while the store is being checked.
  public var family: String?

  public init(
    step: Int, steps: Int, sourceVersion: String, destinationVersion: String, pass: Int, passes: Int,
    passName: String, stage: Stage, entityMapping: String? = nil, chunk: Int = 0, chunks: Int = 0,
    rowsDone: Int = 0, rowsTotal: Int = 0, passRowsDone: Int = 0, passRowsTotal: Int = 0, family: String? = nil
  ) {
    self.step = step
    self.steps = steps
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.pass = pass
    self.passes = passes
    self.passName = passName
    self.stage = stage
    self.entityMapping = entityMapping
    self.chunk = chunk
    self.chunks = chunks
    self.rowsDone = rowsDone
    self.rowsTotal = rowsTotal
    self.passRowsDone = passRowsDone
    self.passRowsTotal = passRowsTotal
    self.family = family
  }

  /// The part of all steps that is done, from 0 to 1; each step counts the same.
  public var part: Double {
    guard steps > 0 else { return 0 }
    // Rows are counted only when the step begins with them.
    let part = rowsTotal > 0 ? max(0, min(1, Double(rowsDone) / Double(rowsTotal))) : stage == .finish ? 1 : 0
    return max(0, min(1, (Double(step) - 1 + part) / Double(steps)))
  }

  /// Rows that are left of the pass.
  public var passRowsLeft: Double { max(0, Double(passRowsTotal) - Double(passRowsDone)) }

  /// Rows that are left of all steps; how many the later ones have is known when they begin, and until then each is
  /// taken to have as many as this one.
  // A worker may say anything, and doubles don't overflow.
  public var rowsLeft: Double {
    max(0, Double(rowsTotal) - Double(rowsDone)) + max(0, Double(steps) - Double(step)) * Double(rowsTotal)
  }
}
