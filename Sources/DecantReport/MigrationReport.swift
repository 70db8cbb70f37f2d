/// The result of a job: kept beside the delivered store and printed by `decant migrate --json`.
public struct MigrationReport: Sendable, Hashable, Codable {
  /// The kinds of success.
  public enum Result: String, Sendable, Codable {
    /// A new store was written.
    case migrated
    /// The store had the target version already. Nothing was written, and the source is the result.
    case alreadyCurrent
  }

  /// Objects that a step has put into quarantine because they break rules of the destination model.
  public struct Quarantine: Sendable, Hashable, Codable {
    /// One broken rule.
    public struct Reason: Sendable, Hashable, Codable {
      public var entity: String
      public var property: String
      /// The error code: Core Data's own, or the one that the model states for this rule.
      public var code: Int
      public var words: String
      /// The number of objects that break the rule; one object may break several rules.
      public var objects: Int

      public init(entity: String, property: String, code: Int, words: String, objects: Int) {
        self.entity = entity
        self.property = property
        self.code = code
        self.words = words
        self.objects = objects
      }
    }

    /// The file name of the store that holds these objects, beside the delivered store.
    public var store: String
    /// The file name of the list that states each object's source objects and broken rules.
    public var list: String
    public var objects: Int
    public var reasons: [Reason]

    public init(store: String, list: String, objects: Int, reasons: [Reason]) {
      self.store = store
      self.list = list
      self.objects = objects
      self.reasons = reasons
    }
  }

  /// One step, which wrote one destination store.
  public struct Step: Sendable, Hashable, Codable {
    public var sourceVersion: String
    public var destinationVersion: String
    /// Names of the mapping models that ran, in order.
    public var passes: [String]
    public var entities: [EntityRows]
    /// Rows of each join table in the destination.
    public var joinRows: [String: Int]
    /// Objects that policies inserted and didn't associate with a source object, by entity.
    public var inserted: [String: Int]
    /// Seconds of wall time.
    public var seconds: Double
    /// Seconds of wall time for each pass, in order; empty if a worker of another version doesn't state them.
    public var passSeconds: [Double] = []
    /// The course of the step in this run; `nil` if the step took less than a second.
    public var timeline: Timeline?
    /// Chunks that this run committed, and chunks that an earlier run had committed.
    public var chunks: Int
    public var resumedChunks: Int
    /// `nil` if no object was put into quarantine.
    public var quarantine: Quarantine?
    /// Points in the mapping models that need attention.
    public var findings: [PlanFinding]
    /// How an inferred step made its file, as in the plan: `in place` or `anew`; `nil` for mapping models.
    public var way: String?

    public init(
      sourceVersion: String, destinationVersion: String, passes: [String], entities: [EntityRows] = [],
      joinRows: [String: Int] = [:], inserted: [String: Int] = [:], seconds: Double = 0, chunks: Int = 0,
      resumedChunks: Int = 0, quarantine: Quarantine? = nil, findings: [PlanFinding] = [], way: String? = nil
    ) {
      self.sourceVersion = sourceVersion
      self.destinationVersion = destinationVersion
      self.passes = passes
      self.entities = entities
      self.joinRows = joinRows
      self.inserted = inserted
      self.seconds = seconds
      self.chunks = chunks
      self.resumedChunks = resumedChunks
      self.quarantine = quarantine
      self.findings = findings
      self.way = way
    }

    /// Decodes a step, also from a worker of a version without the newer keys.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        sourceVersion: try values.decode(String.self, forKey: .sourceVersion),
        destinationVersion: try values.decode(String.self, forKey: .destinationVersion),
        passes: try values.decode([String].self, forKey: .passes),
        entities: try values.decode([EntityRows].self, forKey: .entities),
        joinRows: try values.decode([String: Int].self, forKey: .joinRows),
        inserted: try values.decodeIfPresent([String: Int].self, forKey: .inserted) ?? [:],
        seconds: try values.decode(Double.self, forKey: .seconds),
        chunks: try values.decode(Int.self, forKey: .chunks),
        resumedChunks: try values.decode(Int.self, forKey: .resumedChunks),
        quarantine: try values.decodeIfPresent(Quarantine.self, forKey: .quarantine),
        findings: try values.decodeIfPresent([PlanFinding].self, forKey: .findings) ?? [],
        way: try values.decodeIfPresent(String.self, forKey: .way))
      passSeconds = try values.decodeIfPresent([Double].self, forKey: .passSeconds) ?? []
      timeline = try values.decodeIfPresent(Timeline.self, forKey: .timeline)
    }
  }

  public var result: Result
  /// The store's file name for display: bytes that aren't plain text are written as `\xNN`.
  public var store: String
  /// The name of the delivered store in its folder, as the file system has it; `nil` for the command line.
  public var file: String?
  /// The kind of the source as `NSStoreType` names it, `SQLite` or `XML`; a migrated store is always `SQLite`.
  public var storeType: String
  public var family: String
  public var sourceVersion: String
  /// Where the source model comes from, as in `MigrationPlan.sourceOrigin`.
  ///
  /// It is `catalogue` also if a worker of another version doesn't state the origin.
  public var sourceOrigin: String?
  /// The catalogue's version that is nearest to the model in the store's cache; `nil` unless `sourceOrigin` is
  /// `own-model`.
  public var nearestVersion: String?
  public var targetVersion: String
  public var steps: [Step]
  public var losses: [Loss]
  /// The file name of the associations, beside the store; `nil` if they weren't kept.
  public var associations: String?
  /// Sentences for the reader of the report.
  public var warnings: [String]
  /// Information that needs no action.
  public var notes: [String]
  /// Seconds of wall time; of the last run only, if the migration was resumed.
  public var seconds: Double
  /// Whether an earlier run committed chunks, so that `seconds` isn't the whole time.
  package var isResumed: Bool { steps.contains { $0.resumedChunks > 0 } }
  /// The store's name in `incoming/`, for display, and its job; `nil` for the command line.
  public var drop: String?
  public var job: String?
  /// When the drop was claimed, in UTC as ISO 8601; `nil` for the command line.
  public var claimed: String?
  /// When the run that finished the work began and ended, in UTC as ISO 8601.
  public var begun: String?
  public var ended: String?
  /// The files of the store, as they were read; `nil` if no digests were computed.
  public var source: Files?
  /// The files of the result; they are the source's files if the store had the target version already.
  ///
  /// `nil` if no digests were computed.
  public var destination: Files?
  /// `nil` if the store has no stray rows.
  public var strayRows: StrayRows?
  /// Decant's version.
  public var decantVersion: String

  public init(
    result: Result, store: String, storeType: String = "SQLite", family: String, sourceVersion: String,
    targetVersion: String, sourceOrigin: String? = "catalogue", nearestVersion: String? = nil,
    steps: [Step] = [], losses: [Loss] = [], associations: String? = nil, warnings: [String] = [],
    notes: [String] = [], seconds: Double = 0,
    decantVersion: String
  ) {
    self.result = result
    self.store = store
    self.storeType = storeType
    self.family = family
    self.sourceVersion = sourceVersion
    self.sourceOrigin = sourceOrigin
    self.nearestVersion = nearestVersion
    self.targetVersion = targetVersion
    self.steps = steps
    self.losses = losses
    self.associations = associations
    self.warnings = warnings
    self.notes = notes
    self.seconds = seconds
    self.decantVersion = decantVersion
  }
}

extension MigrationReport {
  /// Decodes a report, also from a worker of a version without the newer keys.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      result: try values.decode(Result.self, forKey: .result),
      store: try values.decode(String.self, forKey: .store),
      storeType: try values.decodeIfPresent(String.self, forKey: .storeType) ?? "SQLite",
      family: try values.decode(String.self, forKey: .family),
      sourceVersion: try values.decode(String.self, forKey: .sourceVersion),
      targetVersion: try values.decode(String.self, forKey: .targetVersion),
      sourceOrigin: try values.decodeIfPresent(String.self, forKey: .sourceOrigin) ?? "catalogue",
      nearestVersion: try values.decodeIfPresent(String.self, forKey: .nearestVersion),
      steps: try values.decode([Step].self, forKey: .steps),
      losses: try values.decode([Loss].self, forKey: .losses),
      associations: try values.decodeIfPresent(String.self, forKey: .associations),
      warnings: try values.decode([String].self, forKey: .warnings),
      notes: try values.decodeIfPresent([String].self, forKey: .notes) ?? [],
      seconds: try values.decode(Double.self, forKey: .seconds),
      decantVersion: try values.decode(String.self, forKey: .decantVersion))
    file = try values.decodeIfPresent(String.self, forKey: .file)
    drop = try values.decodeIfPresent(String.self, forKey: .drop)
    job = try values.decodeIfPresent(String.self, forKey: .job)
    claimed = try values.decodeIfPresent(String.self, forKey: .claimed)
    begun = try values.decodeIfPresent(String.self, forKey: .begun)
    ended = try values.decodeIfPresent(String.self, forKey: .ended)
    source = try values.decodeIfPresent(Files.self, forKey: .source)
    destination = try values.decodeIfPresent(Files.self, forKey: .destination)
    strayRows = try values.decodeIfPresent(StrayRows.self, forKey: .strayRows)
  }
}
