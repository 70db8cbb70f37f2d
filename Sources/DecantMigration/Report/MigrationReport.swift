/// What became of a store: kept beside the delivered store and printed by `decant migrate --json`.
public struct MigrationReport: Sendable, Hashable, Codable {
  /// How a job ended well.
  public enum Result: String, Sendable, Codable {
    /// A new store was written.
    case migrated
    /// The store was at the target already; nothing was written, and the source is the result.
    case alreadyCurrent
  }

  /// Objects that a step has put aside because they break rules of the destination model.
  public struct Quarantine: Sendable, Hashable, Codable {
    /// One broken rule.
    public struct Reason: Sendable, Hashable, Codable {
      public var entity: String
      public var property: String
      /// Core Data's code, or the model's own.
      public var code: Int
      public var words: String
      /// The objects that break it; one may break several.
      public var objects: Int

      public init(entity: String, property: String, code: Int, words: String, objects: Int) {
        self.entity = entity
        self.property = property
        self.code = code
        self.words = words
        self.objects = objects
      }
    }

    /// The file name of the store that holds them, beside the delivered one.
    public var store: String
    /// The file name of the list that says of each object where it comes from and why it was refused.
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

  /// One step: one destination store written.
  public struct Step: Sendable, Hashable, Codable {
    public var sourceVersion: String
    public var destinationVersion: String
    /// Names of the mapping models that ran, in order.
    public var passes: [String]
    public var entities: [EntityRows]
    /// Rows of each join table in the destination.
    public var joinRows: [String: Int]
    /// Objects by entity that come of no source object: what policies inserted and associated with none.
    public var inserted: [String: Int]
    /// Seconds of wall time.
    public var seconds: Double
    /// Chunks committed by this run, and chunks that an earlier run had committed.
    public var chunks: Int
    public var resumedChunks: Int
    /// `nil` where nothing was put aside.
    public var quarantine: Quarantine?
    /// What the mapping models should be looked at for.
    public var findings: [PlanFinding]

    public init(
      sourceVersion: String, destinationVersion: String, passes: [String], entities: [EntityRows] = [],
      joinRows: [String: Int] = [:], inserted: [String: Int] = [:], seconds: Double = 0, chunks: Int = 0,
      resumedChunks: Int = 0, quarantine: Quarantine? = nil, findings: [PlanFinding] = []
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
    }

    /// Reads a step, also one of a worker that was built before a key was added.
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
        findings: try values.decodeIfPresent([PlanFinding].self, forKey: .findings) ?? [])
    }
  }

  public var result: Result
  /// The store's file name as people read it: what isn't plain text stands as `\xNN`, byte by byte.
  public var store: String
  /// The name of the delivered store in its folder, as the file system has it; `nil` on the command line.
  public var file: String?
  /// The kind of the source as `NSStoreType` names it, `SQLite` or `XML`; a migrated store is always `SQLite`.
  public var storeType: String
  public var family: String
  public var sourceVersion: String
  /// `catalogue`, `own-model` (the store's own cache gave the source model), `configuration`, or `merge`; `nil` where a
  /// worker of another version doesn't say.
  public var sourceOrigin: String?
  /// The version of the catalogue that is nearest to a store's own model.
  public var nearestVersion: String?
  public var targetVersion: String
  public var steps: [Step]
  public var losses: [Loss]
  /// The name of the file with the associations, which lies beside the store; `nil` where there is none.
  public var associations: String?
  /// Sentences for the person who reads the report.
  public var warnings: [String]
  /// What is worth knowing and no reason to act.
  public var notes: [String]
  /// Seconds of wall time.
  public var seconds: Double
  /// The name in `incoming/` under which the store came, as people read it, and the job that it became; `nil` on the
  /// command line.
  public var drop: String?
  public var job: String?
  /// When the drop was taken, in UTC as ISO 8601; `nil` on the command line.
  public var claimed: String?
  /// When the run that finished the work began and ended, in UTC as ISO 8601.
  public var begun: String?
  public var ended: String?
  /// The files of the store, as they were read.
  public var source: Files?
  /// The files of the result; of a store that was at its target already they are the source's.
  public var destination: Files?
  /// `nil` where the store has none.
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
  /// Reads a report, also one of a worker that was built before a key was added.
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
