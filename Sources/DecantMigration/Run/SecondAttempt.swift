internal import DecantCatalogue
internal import DecantEngine
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import Foundation

/// Runs a second attempt before a store is refused.
///
/// A disk, a cable or a network may fail once. So some failures of a first attempt aren't reported at once:
/// - A read has failed (`DiskFailure.isOfReading`). The second attempt continues from the committed chunks. No chunk is
///   committed after a failed read. A failed write isn't tried again here.
/// - The store is refused for its content (`FailureReason.Evidence`). The second attempt begins from the start, over
///   new connections, after the system was asked to drop its copy of the file. The work of the first attempt isn't
///   used.
/// - The store is refused for its rows (`isAboutRows`). A second attempt may take hours. So only the bytes are read
///   again. A second attempt follows if these bytes differ from the bytes that the system has kept.
///
/// All other failures are reported at once. The second attempt is final.
package enum SecondAttempt {
  /// Runs an attempt, and a second one if the first calls for it.
  ///
  /// - Parameters:
  ///   - goesOn: Asked now and then while the bytes are read again; false stops the job.
  ///   - attempt: Sets its second argument to true before it writes the first row.
  static func run<Result>(
    _ job: MigrationJob, goesOn: @escaping @Sendable () -> Bool = { true },
    _ attempt: (MigrationJob, _ isWriting: inout Bool) throws(MigrationFailure) -> Result
  ) throws(MigrationFailure) -> Result {
    let places = DiskWatch.places(of: job)
    let watch = DiskWatch(at: places)
    var isWriting = false
    let failure: MigrationFailure
    do throws(MigrationFailure) {
      return try watched(job, places, &isWriting, attempt)
    } catch {
      // In a direct step, the program's own objects keep state of the first attempt. So there is no second attempt.
      guard error.deservesSecondAttempt, job.direct == nil, watch.failure?.isOfReading ?? true else {
        throw error
      }
      failure = error
    }
    if failure.isAboutRows {
      guard try hasChanged(job, family: failure.family, goesOn) else { throw failure }
    } else {
      PageCache.forget(store: job.source.path)
    }
    if isWriting, !failure.isOfDisk { forgetWork(job) }
    try? FileManager.default.removeItem(at: job.workFolder.appendingPathComponent("copy"))
    job.shelf?.forgetStores()
    if failure.mayBeOfCatalogue { job.shelf?.doubt() }
    return try watched(job, DiskWatch.places(of: job), &isWriting, attempt)
  }

  /// Runs an attempt; if it fails and the disk has failed meanwhile, the disk's failure is thrown.
  private static func watched<Result>(
    _ job: MigrationJob, _ places: [String], _ isWriting: inout Bool,
    _ attempt: (MigrationJob, inout Bool) throws(MigrationFailure) -> Result
  ) throws(MigrationFailure) -> Result {
    let watch = DiskWatch(at: places)
    var job = job
    job.watch = watch
    do throws(MigrationFailure) {
      return try attempt(job, &isWriting)
    } catch {
      guard error.disposition != .stopped, error.reason != .otherWorker, let failure = watch.failure
      else { throw error }
      throw MigrationFailure(failure, family: error.family)
    }
  }

  /// Removes everything that was made from the store.
  ///
  /// The work folder itself stays, because a worker has locked it.
  private static func forgetWork(_ job: MigrationJob) {
    // A store that is already at the output would count as finished. So it is moved back first.
    try? EarlierResult(of: job)?.takeBack()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: job.workFolder.path)) ?? [] {
      try? FileManager.default.removeItem(at: job.workFolder.appendingPathComponent(name))
    }
  }

  /// Whether the disk now returns other bytes of the store than the system's cache had.
  ///
  /// A failed read counts as other bytes.
  private static func hasChanged(
    _ job: MigrationJob, family: String?, _ goesOn: @escaping @Sendable () -> Bool
  ) throws(MigrationFailure) -> Bool {
    let beat = Beat(seconds: job.finishBeat)
    func files() throws -> MigrationReport.Files {
      try FilesDigest.files(of: job.source) { beat.isDue() ? goesOn() : true }
    }
    do {
      let kept = try files()
      PageCache.forget(store: job.source.path)
      return try files() != kept
    } catch StepFailure.stopped {
      throw MigrationFailure(running: StepFailure.stopped, family: family)
    } catch {
      return true
    }
  }
}

extension MigrationFailure {
  fileprivate var deservesSecondAttempt: Bool {
    isOfDisk || disposition == .refuse && reason.evidence != nil
  }

  fileprivate var isAboutRows: Bool { reason.evidence == .rows }

  fileprivate var mayBeOfCatalogue: Bool { reason.evidence == .catalogue }
}
