internal import DecantCatalogue
internal import DecantEngine
internal import DecantModel
package import DecantReport
internal import DecantStore
internal import FileNames
package import Foundation

/// The note on a result that is complete and synced to disk.
///
/// The note is written just before the result is moved to its place. If a run ends after this move, its result is
/// delivered, not made again. If the inputs have changed, a new run decides by the steps' notes (`JobRun.Notes`).
package struct ResultNote: Sendable, Codable {
  package static let name = "finished.json"
  private static let unfinishedName = name + ".partial"
  /// The largest size of a note, in bytes.
  package static let largest = 32 << 20

  package var report: MigrationReport
  /// The result's file name.
  package var output: String
  /// The `MigrationJob.arguments` of the run that made the result.
  private var arguments: [FileName]
  /// The state of the family's folder when it was read; `nil` if the state can't be determined.
  private var family: FamilyStamp?
  private var version: String
  /// Whether the result may depend on code of a worker.
  private var hasCode: Bool
  /// The worker with that code; `nil` without one, or if it can't be distinguished from another build.
  private var program: ProgramStamp?
  private var inode: UInt64
  private var size: Int64
  /// In nanoseconds since 1970.
  private var modified: Int64

  /// - Parameters:
  ///   - file: The finished file, before the rename to its place.
  ///   - job: The job with that output.
  ///   - family: The stamp of the family's folder, taken before the folder was read.
  ///   - program: The worker, if the job uses its code.
  init(
    _ report: MigrationReport, file: String, of job: MigrationJob, _ family: FamilyStamp?,
    program: ProgramStamp? = .running
  ) throws(StoreError) {
    var status = stat()
    guard lstat(file, &status) == 0 else { throw FileCopy.failure(file, "looked at") }
    self.report = report
    output = job.output.lastPathComponent
    arguments = job.arguments
    self.family = family
    version = Migration.decantVersion
    hasCode = !job.policies.isEmpty
    self.program = hasCode ? program : nil
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Self.nanoseconds(status)
  }

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

  /// Whether the result can be delivered without reading the catalogue, because its inputs haven't changed.
  ///
  /// If not, a run of the job finds out which steps of the result are still valid.
  package func isCurrent(for job: MigrationJob) -> Bool { arguments == job.arguments && isOfCatalogue }

  /// Whether the family's folder, Decant's version and the worker with the family's code are as they were when the
  /// result was made.
  package var isOfCatalogue: Bool {
    version == Migration.decantVersion && (!hasCode || program?.holds ?? false) && family?.holds ?? false
  }

  /// Whether a file is the finished file.
  ///
  /// - Parameter modified: In nanoseconds since 1970.
  package func fits(inode: UInt64, size: Int64, modified: Int64) -> Bool {
    (inode, size, modified) == (self.inode, self.size, self.modified)
  }

  private static func nanoseconds(_ status: stat) -> Int64 {
    Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// Writes the note durably.
  ///
  /// A note that is too large to be read isn't written.
  func write(to workFolder: URL, limit: Int = largest) throws {
    let data = try JSONEncoder().encode(self)
    guard data.count <= limit else { return Self.forget(in: workFolder) }
    let partial = workFolder.appendingPathComponent(Self.unfinishedName)
    let file = workFolder.appendingPathComponent(Self.name).path
    try FileCopy.makeDurable(data, at: partial.path)
    guard rename(partial.path, file) == 0 else { throw FileCopy.failure(file, "put into place") }
    try FileCopy.sync(workFolder.path)
  }

  /// Removes everything from a work folder except the note, the notes on steps, their quarantines, and the
  /// associations.
  ///
  /// A later run needs these to keep the result (`EarlierResult`).
  static func clear(_ workFolder: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: workFolder.path)) ?? []
    where name != Self.name && name != JobRun.associations && !JobRun.isNotes(name)
      && !QuarantineFiles.isOfStep(name)
    {
      try? FileManager.default.removeItem(at: workFolder.appendingPathComponent(name))
    }
  }

  /// Removes an earlier run's note before the new run makes anything.
  static func forget(in workFolder: URL) { unlink(workFolder.path + "/" + name) }
}
