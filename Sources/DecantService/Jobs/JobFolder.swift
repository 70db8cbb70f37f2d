package import DecantMigration
package import DecantReport
package import DecantSpool
package import FileNames
internal import Foundation

/// `work/JOB/`: the record, the source, and the worker's files.
package struct JobFolder: Sendable {
  package static let recordName = "job.json"
  package static let source = "source"
  package static let output = "output"
  package static let engine = "engine"
  package static let delivery = "delivery"
  /// The start of the name of a job's folder that is being removed.
  package static let gonePrefix = ".gone-"
  private static let recordLimit = 4 << 20

  package let handle: FolderHandle

  package init(_ id: String, in spool: Spool) throws(FileFailure) { handle = try spool.work.folder(id) }

  package enum StoredRecord: Sendable {
    /// There is no such file, or it isn't a valid record.
    case none
    case record(JobRecord)
    /// A newer daemon wrote the record. Only its format number is known.
    case newer(format: Int)
  }

  /// The record, if this version knows its format.
  package func storedRecord() throws(FileFailure) -> StoredRecord {
    struct Head: Decodable { var format: Int? }
    guard let data = try handle.read(Self.recordName, limit: Self.recordLimit) else { return .none }
    if let format = (try? JSONDecoder().decode(Head.self, from: data))?.format,
      format > JobRecord.currentFormat
    {
      return .newer(format: format)
    }
    guard var record = try? JSONDecoder().decode(JobRecord.self, from: data), record.isPossible else {
      return .none
    }
    record.format = JobRecord.currentFormat
    return .record(record)
  }

  /// The record; `nil` if there is none that this version can read.
  package func record() throws(FileFailure) -> JobRecord? {
    if case .record(let record) = try storedRecord() { record } else { nil }
  }

  /// Writes the record durably.
  ///
  /// - Parameter others: Items that are made durable before the record, for example the folder's other names.
  package func save(_ record: JobRecord, after others: [SyncItem] = []) throws(FileFailure) {
    try handle.write(data(of: record), to: Self.recordName, after: others)
  }

  /// Writes the first record of a new folder and makes it durable, with the folder.
  package func begin(_ record: JobRecord, in spool: Spool) throws(FileFailure) {
    try handle.add(data(of: record), as: Self.recordName)
    try handle.settle([.file(Self.recordName, in: handle), .folder(handle), .folder(spool.work)])
  }

  private func data(of record: JobRecord) throws(FileFailure) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else {
      throw FileFailure("write", handle.path(of: Self.recordName), EINVAL)
    }
    return data
  }

  package func prepareRun() throws(FileFailure) {
    try handle.make(Self.output)
    try handle.make(Self.engine)
  }

  /// The bytes that the workers' files in `engine/` take on the disk.
  package func heldBytes() throws(FileFailure) -> Int64 { try handle.takenBytes(FileName(Self.engine)) }

  /// The bytes that the workers' files and the output take on the disk.
  func workBytes() throws(FileFailure) -> Int64 { try heldBytes() &+ handle.takenBytes(FileName(Self.output)) }

  /// Deletes the workers' files, for example because the source has changed.
  ///
  /// Before this call, the record on the disk must not say that the job's end is decided.
  package func forgetRun() throws(FileFailure) {
    // Delete the note first: without the note, the result doesn't count as finished.
    if try handle.status(Self.engine)?.kind == .folder {
      try handle.folder(Self.engine).remove(ResultNote.name)
    }
    try handle.removeTree(Self.delivery)
    try handle.removeTree(Self.output)
    try handle.removeTree(Self.engine)
  }

  /// The report of a finished run, if its result is unchanged and the job would give the same result; `nil` otherwise.
  ///
  /// If the result is the delivery already, it isn't checked whether the job would give the same result.
  ///
  /// - Parameter job: The job as a worker would get it; evaluated only if it is compared.
  package func finishedReport(
    of store: FileName, _ job: @autoclosure () -> MigrationJob
  ) throws(FileFailure) -> MigrationReport? {
    guard let (note, place) = try finishedRun(of: store), place == Self.delivery || note.isCurrent(for: job())
    else { return nil }
    return note.report
  }

  /// The worker's `ResultNote` of a finished run, and the name of the folder with the unchanged result.
  ///
  /// `nil` if there is no such run.
  func finishedRun(of store: FileName) throws(FileFailure) -> (note: ResultNote, place: String)? {
    guard let note = try resultNote(), FileName(note.output) == store else { return nil }
    for place in [Self.output, Self.delivery] where try handle.status(place)?.kind == .folder {
      // One of the folders may hold another run's file of that name.
      guard let status = try handle.folder(place).status(store.text), status.kind == .file,
        note.fits(inode: status.inode, size: status.size, modified: status.modified)
      else { continue }
      return (note, place)
    }
    return nil
  }

  private func resultNote() throws(FileFailure) -> ResultNote? {
    guard try handle.status(Self.engine)?.kind == .folder else { return nil }
    do throws(FileFailure) {
      return try handle.folder(Self.engine).read(ResultNote.name, limit: ResultNote.largest)
        .flatMap { ResultNote($0) }
    } catch {
      guard error.isTooLarge else { throw error }
      return nil
    }
  }

  /// Whether an ended run has left files that no worker can continue from, so that the job has to begin again.
  ///
  /// These files are a delivery that wasn't decided, or an output without a `ResultNote` that fits it. If there is a
  /// note that fits, the next worker decides which files it can use.
  package func hasEndedRun(of store: FileName) throws(FileFailure) -> Bool {
    if try handle.exists(Self.delivery) { return true }
    if try finishedRun(of: store) != nil { return false }
    guard try handle.exists(Self.output) else { return false }
    return try handle.folder(Self.output).exists(store.text)
  }

  /// The number of names that a worker has given to files of the source, by inode.
  ///
  /// A worker links external data instead of copying it.
  func links() throws(FileFailure) -> [UInt64: Int] {
    var found: [UInt64: Int] = [:]
    for name in [Self.output, Self.delivery] where try handle.status(name)?.kind == .folder {
      try handle.folder(name).countNames(&found)
    }
    return found
  }

  /// Removes a job's folder in two steps, so that half a folder never looks like a job.
  ///
  /// If the second step fails, the periodic scan removes the rest.
  package static func remove(_ id: String, from spool: Spool) throws(FileFailure) {
    try dismiss(id, from: spool)
    sweep(id, from: spool)
  }

  /// Renames the folder, so that it no longer belongs to a job.
  static func dismiss(_ id: String, from spool: Spool) throws(FileFailure) {
    if try spool.work.exists(id) { try spool.work.rename(id, to: spool.work, as: gonePrefix + id) }
  }

  static func sweep(_ id: String, from spool: Spool) { try? spool.work.removeTree(gonePrefix + id) }
}
