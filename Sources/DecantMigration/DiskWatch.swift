internal import DecantModel
internal import Foundation

extension MigrationJob {
  /// Gives no answer after a disk has kept something back: what is optional is gone on without where it can't be read.
  func checkDisk() throws(MigrationFailure) {
    if let failure = watch?.failure { throw MigrationFailure(failure) }
  }
}

/// What disks have failed at since a job's attempt began, as far as the job's own files are concerned.
struct DiskWatch: Sendable {
  private let mark: Int
  private let places: [String]

  init(_ job: MigrationJob) {
    mark = DiskFailures.mark
    let paths =
      [job.source.path, job.workFolder.path, job.output.path, ExternalData(store: job.source).folder]
      // A program's own step has no catalogue.
      + (job.direct == nil ? [job.catalogue.path] : [])
    places = paths.flatMap { [$0, Self.resolved($0)] }
  }

  /// The first failure; `nil` for none.
  var failure: DiskFailure? { DiskFailures.first(since: mark, at: places) }

  /// As SQLite names files: without links above them.
  private static func resolved(_ path: String) -> String {
    let url = URL(fileURLWithPath: path)
    return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
  }
}
