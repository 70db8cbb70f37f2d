public import DecantMigration
internal import Foundation

/// A job for a worker: one line of JSON on the worker's standard input.
public struct WorkerJob: Sendable, Hashable, Codable {
  /// The job's name, which every event about the job contains.
  public var id: String
  /// Absolute paths, as in `MigrationJob`.
  public var source: String
  public var output: String
  public var workFolder: String
  public var catalogue: String
  public var family: String?
  /// The destination version's name; `nil` for the family's target.
  public var target: String?
  public var rewrite: Bool?
  /// The rows of a chunk; `nil` for the engine's choice.
  public var chunkSize: Int?
  /// Whether external files may be hard-linked instead of copied.
  public var linksExternalFiles: Bool?
  /// Whether to keep a file with the associations beside the result.
  public var keepsAssociations: Bool?
  /// Whether to check pages and indexes; `nil` for yes.
  public var checksPages: Bool?
  /// Whether to refuse a store with losses that the family doesn't accept, independent of the family's own setting.
  public var refusesLosses: Bool?
  /// Whether the engine checks that the family assigns its stores to this worker.
  public var checksWorker: Bool?
  /// The worker's path as in the family; `nil` for Decant's own worker.
  public var worker: String?
  /// Whether the output has to be durable before the report; `nil` for yes.
  ///
  /// With `false` the caller syncs the output's folder with all its content.
  public var syncsOutput: Bool?
  /// Whether to record a durable result in the work folder, in case the report is lost.
  public var notesResult: Bool?
  /// Whether the store was dropped into the spool; advice then names the request file and no option.
  public var isOfDrop: Bool?

  public init(
    id: String, source: String, output: String, workFolder: String, catalogue: String, family: String? = nil,
    target: String? = nil, rewrite: Bool? = nil, chunkSize: Int? = nil, linksExternalFiles: Bool? = nil,
    keepsAssociations: Bool? = nil, checksPages: Bool? = nil, refusesLosses: Bool? = nil,
    checksWorker: Bool? = nil, worker: String? = nil, syncsOutput: Bool? = nil, notesResult: Bool? = nil,
    isOfDrop: Bool? = nil
  ) {
    self.id = id
    self.source = source
    self.output = output
    self.workFolder = workFolder
    self.catalogue = catalogue
    self.family = family
    self.target = target
    self.rewrite = rewrite
    self.chunkSize = chunkSize
    self.linksExternalFiles = linksExternalFiles
    self.keepsAssociations = keepsAssociations
    self.checksPages = checksPages
    self.refusesLosses = refusesLosses
    self.checksWorker = checksWorker
    self.worker = worker
    self.syncsOutput = syncsOutput
    self.notesResult = notesResult
    self.isOfDrop = isOfDrop
  }

  /// A job for a worker that the caller has chosen.
  package init(_ job: MigrationJob) {
    self.init(
      id: "migrate", source: job.source.path, output: job.output.path, workFolder: job.workFolder.path,
      catalogue: job.catalogue.path, family: job.family, target: job.target, rewrite: job.rewrite,
      chunkSize: job.chunkSize, linksExternalFiles: job.linksExternalFiles,
      keepsAssociations: job.keepsAssociations, checksPages: job.checksPages ? nil : false,
      refusesLosses: job.refusesLosses ? true : nil, notesResult: job.notesResult)
  }

  /// The job in the engine's form.
  public var migrationJob: MigrationJob {
    var job = MigrationJob(
      source: URL(fileURLWithPath: source), output: URL(fileURLWithPath: output),
      workFolder: URL(fileURLWithPath: workFolder, isDirectory: true),
      catalogue: URL(fileURLWithPath: catalogue, isDirectory: true), family: family, target: target,
      rewrite: rewrite ?? false, chunkSize: chunkSize,
      linksExternalFiles: linksExternalFiles ?? false, keepsAssociations: keepsAssociations ?? false,
      checksPages: checksPages ?? true, refusesLosses: refusesLosses ?? false,
      runner: checksWorker != true ? .any : worker.map { .worker($0) } ?? .shipped)
    job.syncsOutput = syncsOutput ?? true
    job.notesResult = notesResult ?? false
    job.isOfDrop = isOfDrop ?? false
    return job
  }
}
