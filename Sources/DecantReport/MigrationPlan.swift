/// The plan of a migration, as `decant plan` prints it.
public struct MigrationPlan: Sendable, Hashable, Codable {
  /// One step of the path.
  public struct Step: Sendable, Hashable, Codable {
    public var source: String
    public var destination: String
    /// Names of the mapping models, in order.
    public var passes: [String]
    public var entityMappings: [EntityMappingPlan]
    /// The framework version for which the destination's schema is written.
    public var framework: Int
    /// Points in the mapping models that need attention.
    public var findings: [PlanFinding] = []
    /// How an inferred step makes its file: `in place` or `anew`; `nil` for a step with mapping models.
    ///
    /// In place, the step copies the source and changes only the parts that differ. Anew, it writes a new file.
    public var way: String?
    /// The reason for `way`, as the end of a sentence.
    public var wayReason: String?

    /// How the step makes its file, for sentences.
    public var wayWords: String? { MigrationPlan.wayWords(way) }

    package init(
      source: String, destination: String, passes: [String], entityMappings: [EntityMappingPlan],
      framework: Int, findings: [PlanFinding] = []
    ) {
      self.source = source
      self.destination = destination
      self.passes = passes
      self.entityMappings = entityMappings
      self.framework = framework
      self.findings = findings
    }
  }

  /// The losses of a step that can't be counted in advance.
  public struct UncountedLosses: Sendable, Hashable, Codable {
    /// The step's number, from 1.
    public var step: Int
    public var source: String
    public var destination: String
    /// The entities and properties that may be lost, `Entity` or `Entity.property`; empty if none is known.
    public var names: [String]

    package init(step: Int, source: String, destination: String, names: [String]) {
      self.step = step
      self.source = source
      self.destination = destination
      self.names = names
    }
  }

  /// How an inferred step makes its file, for sentences: `in place` or `as a new file`.
  ///
  /// - Parameter way: A step's `way`.
  public static func wayWords(_ way: String?) -> String? {
    switch way {
    case "anew"?: "as a new file"
    default: way
    }
  }

  public var store: String
  /// The kind of the source as `NSStoreType` names it, `SQLite` or `XML`.
  public var storeType: String
  public var family: String
  public var sourceVersion: String
  /// Every name of the store's version in the catalogue.
  public var sourceVersionNames: [String]
  /// Where the source model comes from.
  ///
  /// `catalogue`: a version of the family. `own-model`: the store's own cache. `configuration`: one configuration of a
  /// version. `merge`: several models of the family, merged.
  public var sourceOrigin: String
  /// The catalogue's version that is nearest to the model in the store's cache; `nil` unless `sourceOrigin` is
  /// `own-model`.
  public var nearestVersion: String?
  public var targetVersion: String
  /// Empty if there is nothing to do, and in a plan that is executed at once.
  public var steps: [Step]
  /// Rows that belong to no entity of their table; `nil` if the store has no such rows.
  public var strayRows: MigrationReport.StrayRows?
  /// The properties and entities that aren't fully kept, with the number of their values or objects in the store; a
  /// loss whose `values` is 0 loses nothing.
  public var losses: [MigrationReport.Loss]
  /// The losses that are counted only when their step begins, because the store that the step reads doesn't exist yet.
  ///
  /// Empty in a plan that is executed at once.
  public var uncounted: [UncountedLosses] = []
  public var warnings: [String]
  /// The warnings about policies and functions that are certainly missing, and about a worker that can't be used.
  ///
  /// The migration would wait until someone supplies the code or a usable worker.
  public var missingCode: [String] = []
  /// Information that needs no action.
  public var notes: [String] = []
  /// The number of objects in the store; 0 in a plan that is executed at once, because the
  /// objects aren't counted then.
  public var rows: Int
  /// Bytes of free space that the work needs.
  public var diskBytes: Int

  package init(
    store: String, storeType: String, family: String, sourceVersion: String, sourceVersionNames: [String],
    sourceOrigin: String, nearestVersion: String? = nil, targetVersion: String, steps: [Step],
    strayRows: MigrationReport.StrayRows? = nil, losses: [MigrationReport.Loss], warnings: [String],
    missingCode: [String] = [], notes: [String] = [], rows: Int, diskBytes: Int,
    uncounted: [UncountedLosses] = []
  ) {
    self.store = store
    self.storeType = storeType
    self.family = family
    self.sourceVersion = sourceVersion
    self.sourceVersionNames = sourceVersionNames
    self.sourceOrigin = sourceOrigin
    self.nearestVersion = nearestVersion
    self.targetVersion = targetVersion
    self.steps = steps
    self.strayRows = strayRows
    self.losses = losses
    self.uncounted = uncounted
    self.warnings = warnings
    self.missingCode = missingCode
    self.notes = notes
    self.rows = rows
    self.diskBytes = diskBytes
  }
}
