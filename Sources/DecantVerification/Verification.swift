internal import DecantEngine
public import DecantMapping
public import DecantModel
internal import DecantSQLite
package import DecantStore
package import Foundation

/// Compares a store with the result of its migration.
///
/// Both stores and the models are enough for this. A path with mapping models also needs the kept associations.
public enum Verification {
  /// One step of the path: a mapping model and its destination version.
  public struct Step: Sendable {
    public var mapping: MappingModel
    public var model: ManagedObjectModel

    public init(mapping: MappingModel, model: ManagedObjectModel) {
      self.mapping = mapping
      self.model = model
    }
  }

  /// The progress of a comparison.
  public struct Progress: Sendable, Hashable {
    /// The part of the comparison that begins now.
    public var subject: String
    /// The number of finished parts.
    public var done: Int
    /// The number of all parts.
    public var total: Int
  }

  /// Compares two stores: schema, metadata, persistent history, the model cache, rows, values, relationships, order and
  /// external files.
  ///
  /// The destination's pages, derived values and references are checked, too.
  ///
  /// Neither store is written; a store with a `-wal` or journal is read from a private copy. Values, pairs and orders
  /// are compared inside SQLite, so memory stays bounded.
  ///
  /// - Parameters:
  ///   - sourceModel: The model version of the source.
  ///   - steps: The path to the destination's version; empty if both stores have the same version.
  ///   - evidence: A genuine store's tables, for a destination model with open points in its names
  ///     (docs/formats/core-data-sqlite.md 13); the default is the destination's tables.
  ///   - scratch: A folder for private copies, made when needed.
  ///   - progress: Called before each part, on the caller's thread.
  /// - Throws: `LayoutError`; `StoreError`, for example if a file isn't a store, or if the source doesn't have the
  ///   version of `sourceModel`.
  package static func run(
    source: URL, destination: URL, sourceModel: ManagedObjectModel, steps: [Step],
    evidence: SchemaEvidence? = nil,
    scratch: URL, progress: (Progress) -> Void = { _ in }
  ) throws -> Report {
    try run(
      source: source, destination: destination, sourceModel: sourceModel, steps: steps, evidence: evidence,
      quarantine: nil, scratch: scratch, progress: progress)
  }

  /// Compares two stores, the files of the last step's quarantine, and external files in other folders.
  static func run(
    source: URL, destination: URL, files: StorePair.Files? = nil, sourceModel: ManagedObjectModel,
    steps: [Step], evidence: SchemaEvidence? = nil, quarantine: QuarantineFiles?, scratch: URL,
    progress: (Progress) -> Void = { _ in }
  ) throws -> Report {
    let lineage = Lineage(from: sourceModel, steps: steps)
    var stores = try StorePair(
      source: source, destination: destination, files: files, lineage: lineage, evidence: evidence,
      scratch: scratch)
    var findings = Findings()
    let tables = stores.destinationLayout.tables
    let properties = PairCheck.properties(of: stores.destinationLayout)
    var state = Progress(subject: "schema", done: 0, total: 5 + 2 * tables.count + properties.count)
    func next(_ subject: String) {
      state.subject = subject
      progress(state)
      state.done += 1
    }
    do {
      if let quarantine, quarantine.isThere { try stores.attach(quarantine, scratch: scratch) }
      next("schema")
      try SchemaCheck(stores).run(&findings)
      next("metadata")
      MetadataCheck(stores).run(&findings)
      next("pages")
      try IntegrityCheck(stores).run(&findings)
      next("persistent history")
      try HistoryCheck(stores).run(&findings)
      next("Z_MODELCACHE")
      try ModelCacheCheck(stores).run(&findings)
      for table in tables {
        next(table.name)
        try RowCheck(stores, table: table).run(&findings)
        try DerivedCheck(stores, table: table).run(&findings)
        try ExternalFileCheck(stores, table: table).run(&findings)
      }
      for property in properties {
        next(property.description)
        try PairCheck(stores, property: property).run(&findings)
      }
      for table in tables {
        next("references of \(table.name)")
        try ReferenceCheck(stores, table: table).run(&findings)
      }
    } catch let error as SQLiteError {
      throw StoreError.sqlite(error)
    }
    return findings.report(source: source, destination: destination)
  }

  /// Compares two stores with one mapping model between them.
  ///
  /// - Throws: The errors of `run(source:destination:sourceModel:steps:evidence:scratch:progress:)`.
  package static func run(
    source: URL, destination: URL, sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel,
    mapping: MappingModel, evidence: SchemaEvidence? = nil, scratch: URL,
    progress: (Progress) -> Void = { _ in }
  ) throws -> Report {
    try run(
      source: source, destination: destination, sourceModel: sourceModel,
      steps: [Step(mapping: mapping, model: destinationModel)], evidence: evidence, scratch: scratch,
      progress: progress)
  }
}
