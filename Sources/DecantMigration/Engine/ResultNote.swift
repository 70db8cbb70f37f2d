internal import DecantModel
internal import DecantStore
internal import FileNames
package import Foundation

/// The note on a result that is complete and synced to disk.
///
/// It stays in the work folder until the caller has the result.
///
/// A run that is killed after the note was written has only renames left to do: the result is delivered, not made
/// again. If the family's folder has changed since, a run of the job decides by the notes on the steps.
package struct ResultNote: Sendable, Codable {
  /// The note's name in the work folder.
  package static let name = "finished.json"
  /// The note's name while it is being written.
  private static let unfinishedName = name + ".partial"
  /// The largest note in bytes.
  package static let largest = 32 << 20

  /// The report of the run.
  package var report: MigrationReport
  /// The result's file name.
  package var output: String
  /// The inputs of the result other than store and catalogue.
  private var arguments: [FileName]
  /// The state of the family's folder when it was read; `nil` if the state can't be determined.
  private var family: FamilyStamp?
  private var inode: UInt64
  private var size: Int64
  /// In nanoseconds since 1970.
  private var modified: Int64

  /// - Parameters:
  ///   - file: The finished file, which will be renamed to its place.
  ///   - job: The job whose output is that place.
  ///   - family: The state of the family's folder when it was read.
  /// - Throws: `StoreError.files` if the file can't be examined.
  init(_ report: MigrationReport, file: String, of job: MigrationJob, _ family: FamilyStamp?) throws(StoreError)
  {
    var status = stat()
    guard lstat(file, &status) == 0 else { throw FileCopy.failure(file, "looked at") }
    self.report = report
    output = job.output.lastPathComponent
    arguments = job.arguments
    self.family = family
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Self.nanoseconds(status)
  }

  /// Reads a note; `nil` if the data isn't a note.
  package init?(_ data: Data) {
    guard let note = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
    self = note
  }

  /// The note of a work folder whose result is in its place, complete and unchanged; `nil` if there is no such result.
  package init?(in workFolder: String, results: String) {
    guard let data = try? DiskRead.contents(of: workFolder + "/" + Self.name, limit: Self.largest),
      let note = Self(data)
    else { return nil }
    var status = stat()
    guard !note.output.contains("/"), lstat(results + "/" + note.output, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG,
      note.fits(
        inode: UInt64(status.st_ino), size: Int64(status.st_size), modified: Self.nanoseconds(status))
    else { return nil }
    self = note
  }

  /// Whether the result can be delivered without reading the catalogue: none of its inputs has changed.
  ///
  /// If not, a run of the job finds out which parts of it are still valid.
  package func isCurrent(for job: MigrationJob) -> Bool { arguments == job.arguments && isOfCatalogue }

  /// Whether the family's folder is in the same state as when the result was made.
  package var isOfCatalogue: Bool { family?.holds ?? false }

  /// Whether a file is the finished file.
  ///
  /// - Parameter modified: In nanoseconds since 1970.
  package func fits(inode: UInt64, size: Int64, modified: Int64) -> Bool {
    (inode, size, modified) == (self.inode, self.size, self.modified)
  }

  private static func nanoseconds(_ status: stat) -> Int64 {
    Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// Writes the note and syncs it to disk.
  ///
  /// - Throws: `StoreError.files`, or an error of the encoder.
  func write(to workFolder: URL) throws {
    let partial = workFolder.appendingPathComponent(Self.unfinishedName)
    let file = workFolder.appendingPathComponent(Self.name).path
    try JSONEncoder().encode(self).write(to: partial)
    try FileCopy.sync(partial.path)
    guard rename(partial.path, file) == 0 else { throw FileCopy.failure(file, "put into place") }
    try FileCopy.sync(workFolder.path)
  }

  /// Removes all of a work folder but the note, and what a run needs to keep the result (`EarlierResult`): the notes on
  /// steps, their quarantines, and the associations.
  static func clear(_ workFolder: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: workFolder.path)) ?? []
    where name != Self.name && name != JobRun.associations && !JobRun.isNotes(name)
      && !QuarantineFiles.isOfStep(name)
    {
      try? FileManager.default.removeItem(at: workFolder.appendingPathComponent(name))
    }
  }

  /// Removes an earlier run's note, before anything is made again.
  static func forget(in workFolder: URL) { unlink(workFolder.appendingPathComponent(name).path) }
}
