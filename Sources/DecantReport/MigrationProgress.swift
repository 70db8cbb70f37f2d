/// The progress of a migration.
///
/// An observer gets it after each chunk, at each change of stage, and about once a second during long work. A worker
/// writes it as a line of output.
public struct MigrationProgress: Sendable, Hashable, Codable {
  /// The stages of a pass, and the stages of a step before and after its passes.
  public enum Stage: String, Sendable, Codable {
    /// Copying, checking and reading the source.
    case open
    /// Creating the destination objects.
    case create
    /// Setting the relationships between the destination objects.
    case relate
    /// Checking the objects against the rules of the destination version.
    case validate
    /// Indexes, metadata, checks, syncs, and the delivery of files.
    case finish
  }

  /// The current step, from 1, and the number of steps.
  ///
  /// While the store is being checked, both are 0 and the versions are empty.
  public var step: Int
  public var steps: Int
  /// Names of the step's versions.
  public var sourceVersion: String
  public var destinationVersion: String
  /// The current pass of the step, from 1, the number of passes, and the mapping model's name.
  public var pass: Int
  public var passes: Int
  public var passName: String
  public var stage: Stage
  /// The current entity mapping, table, index or check; `nil` between two of these.
  public var entityMapping: String?
  /// The filter of the current entity mapping; `nil` without one.
  public var filter: String?
  /// The number of finished chunks of the entity mapping, and the estimated number of all its chunks.
  ///
  /// The second number is 0 in work without chunks, and before this run's first chunk of the entity mapping.
  public var chunk: Int
  public var chunks: Int
  /// Finished and total source rows of the step, over all its passes and stages.
  ///
  /// A row counts each time that a stage of an entity mapping reads it, also if the mapping's filter excludes the row.
  public var rowsDone: Int
  public var rowsTotal: Int
  /// Finished and total rows of the pass, over all its stages.
  public var passRowsDone: Int
  public var passRowsTotal: Int
  /// The number of source objects that the create stages of the step have read, and the number that they will read in
  /// total; `nil` before the objects are counted.
  ///
  /// An object counts once. If several entity mappings or passes read it, each of them adds a part of it.
  public var objectsDone: Int?
  public var objectsTotal: Int?
  /// The number of associations of the step so far, updated about once a second.
  ///
  /// It is `nil` for an inferred step, because its objects keep their keys.
  public var associations: Int?
  /// The number of delivered external files, and of all external files; `nil` while no files are delivered.
  public var filesDone: Int?
  public var filesTotal: Int?
  /// The kind of the current work, such as `create` or `relate lists`, with the pass if there are several passes.
  ///
  /// Work of one kind has about the same speed. `nil` for work that isn't counted.
  public var kind: String?
  /// The remaining rows of the step, and of the pass, for each kind of work; `nil` if kinds aren't known.
  ///
  /// A kind without remaining rows is left out.
  public var rowsLeftByKind: [String: Int]?
  public var passRowsLeftByKind: [String: Int]?
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

  /// The finished part of all steps, from 0 to 1; each step counts the same.
  public var part: Double {
    guard steps > 0 else { return 0 }
    // The rows are counted only when the step begins to process them.
    let part = rowsTotal > 0 ? max(0, min(1, Double(rowsDone) / Double(rowsTotal))) : stage == .finish ? 1 : 0
    return max(0, min(1, (Double(step) - 1 + part) / Double(steps)))
  }

  // A worker may send any number, so these values are doubles, which don't overflow.

  /// The remaining rows of the pass.
  public var passRowsLeft: Double { max(0, Double(passRowsTotal) - Double(passRowsDone)) }

  /// The remaining rows of the step.
  public var stepRowsLeft: Double { max(0, Double(rowsTotal) - Double(rowsDone)) }

  /// The estimated rows of later steps.
  ///
  /// A step's rows are known when it begins. Until then, it is assumed to have as many rows as the current step.
  public var laterRows: Double { max(0, Double(steps) - Double(step)) * Double(max(0, rowsTotal)) }
}

extension MigrationProgress {
  /// The current check of the whole step; `nil` at other times.
  ///
  /// An entity mapping may have the name of a check, but its progress has a `kind`.
  package var wholeCheck: WholeCheck? {
    guard stage == .validate, kind == nil else { return nil }
    return entityMapping.flatMap { WholeCheck(rawValue: $0) }
  }

  /// A check of a whole step; during the check, `entityMapping` has its name.
  package enum WholeCheck: String, Sendable {
    case rules = "rules of the model"
    case pairs = "pairs of relationships"
    case quarantine = "quarantine"

    /// The check in words, for a sentence.
    var words: String {
      switch self {
      case .rules: "the check of the model's rules"
      case .pairs: "the search for pairs of objects that no relationship connects any more"
      case .quarantine: "the writing of the quarantine"
      }
    }
  }
}
