internal import DecantModel
internal import DecantReport
internal import Foundation

extension MigrationJob {
  /// Throws if a disk failed at one of the job's files.
  ///
  /// Code that reads optional files skips files that can't be read. So after a disk has failed, the
  /// results of such code may be wrong.
  func checkDisk() throws(MigrationFailure) {
    if let failure = watch?.failure { throw MigrationFailure(failure) }
  }
}

extension DiskWatch {
  /// The paths to watch for a job: its store, external files, work folder, output and catalogue.
  static func places(of job: MigrationJob) -> [String] {
    let paths =
      [job.source.path, job.workFolder.path, job.output.path, ExternalData(store: job.source).folder]
      // A direct step has no catalogue.
      + (job.direct == nil ? [job.catalogue.path] : [])
    return places(paths)
  }
}
