internal import DecantMigration
package import DecantPolicies
package import DecantReport

/// An event of a worker: one line of JSON on its standard output.
///
/// A worker sends `hello` once, before it reads its first job. Then, for each job, it sends any number of `progress` and
/// exactly one `report` or `failure`.
public struct WorkerEvent: Sendable, Hashable, Codable {
  /// The greeting.
  public struct Hello: Sendable, Hashable, Codable {
    /// The protocol's number; see `WorkerEvent.protocolNumber`.
    public var `protocol`: Int
    /// Decant's version in the worker.
    public var version: String
    /// The names of the worker's classes, with their modules, sorted.
    public var policies: [String]?
    public var objects: [String]?
    public var functions: [String]?

    public init(protocol: Int, version: String) {
      self.protocol = `protocol`
      self.version = version
    }

    /// The greeting of a worker of this build.
    package init(_ registry: PolicyRegistry) {
      self.init(protocol: WorkerEvent.protocolNumber, version: Migration.decantVersion)
      policies = registry.policyNames
      objects = registry.objectClassNames
      functions = registry.functionNames
    }

    /// Why this build can't work with the worker; `nil` if it can.
    package var obstacle: String? {
      if `protocol` != WorkerEvent.protocolNumber {
        return "it uses protocol \(`protocol`), not \(WorkerEvent.protocolNumber)"
      }
      if version != Migration.decantVersion {
        return "it was built with Decant \(version), and this is \(Migration.decantVersion); build it again"
      }
      return nil
    }
  }

  /// The number of this version's protocol.
  public static let protocolNumber = 1

  public var hello: Hello?
  /// The name of the job; `nil` for `hello`.
  public var job: String?
  package var progress: MigrationProgress?
  package var report: MigrationReport?
  package var failure: MigrationFailure?
  /// The worker's peak memory during the job, in bytes; with a report or failure.
  public var peakMemory: Int?
  /// With a report or failure: whether the worker ends now and takes no further job.
  public var last: Bool?

  public init(hello: Hello) { self.hello = hello }

  package init(job: String, progress: MigrationProgress) {
    self.job = job
    self.progress = progress
  }

  package init(job: String, report: MigrationReport, peakMemory: Int? = nil, last: Bool? = nil) {
    self.job = job
    self.report = report
    self.peakMemory = peakMemory
    self.last = last
  }

  package init(job: String, failure: MigrationFailure, peakMemory: Int? = nil, last: Bool? = nil) {
    self.job = job
    self.failure = failure
    self.peakMemory = peakMemory
    self.last = last
  }
}
