internal import DecantModel
internal import DecantReport
internal import Foundation

extension MigrationJob {
  /// Throws if a disk failed at one of the job's files.
  ///
  /// Code that reads optional files skips files that can't be read. So the results of this code can't be used after a
  /// disk has failed.
  func checkDisk() throws(MigrationFailure) {
    if let failure = watch?.failure { throw MigrationFailure(failure) }
  }
}

extension DiskWatch {
  /// The places of a job's store with its external files, of its work folder, its output and its catalogue.
  static func places(of job: MigrationJob) -> [String] {
    let paths =
      [job.source.path, job.workFolder.path, job.output.path, ExternalData(store: job.source).folder]
      // A direct step has no catalogue.
      + (job.direct == nil ? [job.catalogue.path] : [])
    return places(paths)
  }
}
