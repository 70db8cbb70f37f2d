package import DecantWorker

package struct ShardSettings: Sendable {
  package var shard: Shard
  /// The folder of the results, as an absolute path.
  package var output: String
  package var ledger: String
  /// The folder for copies of stores and for work files, on a file system of this machine.
  package var scratch: String
  package var catalogue: String
  package var family: String?
  package var target: String?
  package var rewrite = false
  package var keepsAssociations = false
  package var checksPages = true
  package var refusesLosses = false
  package var chunkSize: Int?
  /// The worker that is used instead of each family's own worker; `nil` if none was named.
  package var worker: String?
  /// The program that runs as Decant's own worker with `--worker`.
  package var program: String
  package var jobs: Int
  package var hangSeconds = 3600.0
  /// The seconds that a stopped run waits for the workers' running chunks; schedulers often allow two minutes in all.
  package var stopSeconds = 90.0
  /// The maximum number of attempts on a store whose worker dies.
  package var attempts = 2
  /// The memory of a worker in bytes, and the jobs and seconds after which a worker is replaced.
  package var limits = WorkerOptions.usual

  package init(
    shard: Shard, output: String, ledger: String, scratch: String, catalogue: String, program: String,
    jobs: Int
  ) {
    self.shard = shard
    self.output = output
    self.ledger = ledger
    self.scratch = scratch
    self.catalogue = catalogue
    self.program = program
    self.jobs = jobs
  }

  /// The options that change results, or that refuse stores.
  var options: [String] {
    [
      family ?? "", target ?? "", rewrite ? "rewrite" : "", keepsAssociations ? "associations" : "",
      checksPages ? "" : "unchecked", refusesLosses ? "strict" : "", worker ?? "",
    ]
  }

  var pool: WorkerPool.Settings {
    WorkerPool.Settings(
      executable: program, arguments: ["--worker"] + limits.arguments, count: jobs, hangSeconds: hangSeconds,
      stopSeconds: stopSeconds)
  }

  func workerJob(_ job: StoreJob) -> WorkerJob {
    WorkerJob(
      id: job.id, source: job.source, output: job.output, workFolder: job.workFolder, catalogue: catalogue,
      family: family, target: target, rewrite: rewrite ? true : nil, chunkSize: chunkSize,
      // The source is the shard's own copy, so no other program writes to it.
      linksExternalFiles: true, keepsAssociations: keepsAssociations ? true : nil,
      checksPages: checksPages ? nil : false, refusesLosses: refusesLosses ? true : nil,
      checksWorker: worker == nil ? true : nil, worker: job.worker,
      // The delivery makes the result durable.
      syncsOutput: false)
  }
}
