internal import DecantModel
internal import DecantStore
internal import FileNames
internal import Foundation

/// The folder of a job's output, where the folder is Decant's own: that of a job whose result is noted.
struct OutputFolder {
  private let output: URL
  private let workFolder: URL

  /// - Returns: `nil` where the folder may hold files of others.
  init?(of job: MigrationJob) {
    guard job.notesResult else { return nil }
    (output, workFolder) = (job.output, job.workFolder)
  }

  /// Removes what an earlier run has put into the folder: this run may deliver other files.
  ///
  /// The job's work folder stays, also where it lies in this folder.
  ///
  /// - Parameter keepsExternalData: Whether the output's external data stays, so that its copy goes on where it was.
  /// - Throws: `StoreError.files` where the folder can't be listed.
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
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }
}
