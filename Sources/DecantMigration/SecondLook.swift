package import DecantModel
internal import DecantStore
internal import Foundation

/// Runs a job's attempt, and where the store would be refused for what was read of it, or a read has failed, once more:
/// over new connections, with nothing that is left of the first reading.
///
/// A disk, a cable or a network may give something wrong, or nothing, once. What it gives twice is told.
enum SecondLook {
  static func run<Result>(
    _ job: MigrationJob, _ attempt: (MigrationJob) throws(MigrationFailure) -> Result
  ) throws(MigrationFailure) -> Result {
    let watch = DiskWatch(job)
    do throws(MigrationFailure) {
      return try watched(job, attempt)
    } catch {
      // A program's own step has objects of the program that know of the first attempt.
      guard error.deservesSecondLook, job.direct == nil, watch.failure?.isOfReading ?? true else { throw error }
    }
    PageCache.forget(store: job.source.path)
    try? FileManager.default.removeItem(at: job.workFolder.appendingPathComponent("copy"))
    job.shelf?.forget()
    return try watched(job, attempt)
  }

  /// An attempt in which whatever went wrong is the disk's fault where the disk has failed.
  private static func watched<Result>(
    _ job: MigrationJob, _ attempt: (MigrationJob) throws(MigrationFailure) -> Result
  ) throws(MigrationFailure) -> Result {
    let watch = DiskWatch(job)
    var job = job
    job.watch = watch
    do throws(MigrationFailure) {
      return try attempt(job)
    } catch {
      guard error.disposition != .stopped, error.reason != FamilyWorker.otherWorker, let failure = watch.failure
      else { throw error }
      throw MigrationFailure(failure, family: error.family)
    }
  }
}

extension MigrationFailure {
  /// The word for a failed disk.
  package static let diskReason = "disk"

  /// The failure that a failed disk ends a job with: it says nothing of the store, and another try may do better.
  package init(_ failure: DiskFailure, family: String? = nil) {
    self.init(
      disposition: .retry, reason: Self.diskReason, message: "\(failure).", advice: DiskFailure.advice,
      family: family)
  }

  var isOfDisk: Bool { reason == Self.diskReason }

  /// Words for what is found by reading the store; another reading might find something else.
  private static let contentReasons: Set<String> = [
    "empty", "not-core-data", "damaged", "inconsistent-store", "binary-store", "not-sqlite", "encrypted",
    "truncated",
    "foreign-wal", "no-version-hashes", "damaged-metadata", "tables-of-another-version", "unknown-tables",
    "cloudkit",
    "unsupported-model", "sqlite", "unknown-version", "ambiguous-family", "unsettled-layout",
    "external-data-missing",
    "not-unique", "invalid-objects", "values-do-not-fit", "value-too-large",
  ]

  /// Whether the reason for scripts is one that is found by reading the store.
  package static func isAboutContent(_ reason: String) -> Bool { contentReasons.contains(reason) }

  fileprivate var deservesSecondLook: Bool {
    isOfDisk || disposition == .refuse && Self.isAboutContent(reason)
  }
}
