internal import DecantModel
internal import DecantStore
internal import FileNames
internal import Foundation

/// The folder of a job's output, if only Decant writes to it.
///
/// This is true for a job with `notesResult`.
struct OutputFolder {
  private let output: URL
  private let workFolder: URL

  /// - Returns: `nil` if the folder may hold other files.
  init?(of job: MigrationJob) {
    guard job.notesResult else { return nil }
    (output, workFolder) = (job.output, job.workFolder)
  }

  /// Removes the output of an earlier run, because this run may deliver other files.
  ///
  /// The job's work folder stays, even if it is in this folder.
  ///
  /// - Parameter keepsExternalData: Whether the output's external data stays, so that its copy can continue.
  func clear(keepsExternalData: Bool) throws(StoreError) {
    let folder = PathText.folder(of: output.path)
    var kept = [FileName(PathText.name(of: workFolder.path).text)]
    if keepsExternalData {
      kept.append(FileName(PathText.name(of: ExternalData(store: output).folder).text))
    }
    guard let names = DiskRead.names(in: folder) else {
      guard errno == ENOENT else { throw FileCopy.failure(folder, "listed") }
      return
    }
    for name in names where !kept.contains(FileName(name)) {
      try FileCopy.remove(folder + "/" + name)
    }
  }
}
