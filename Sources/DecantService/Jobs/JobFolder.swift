package import DecantMigration
package import FileNames
internal import Foundation

/// `work/JOB/`: the record, the source, and what the worker makes.
package struct JobFolder: Sendable {
  package static let recordName = "job.json"
  package static let source = "source"
  package static let output = "output"
  package static let engine = "engine"
  package static let delivery = "delivery"
  /// Before the name of a job's folder that is being removed.
  package static let gonePrefix = ".gone-"
  private static let recordLimit = 4 << 20

  package let handle: FolderHandle

  package init(_ id: String, in spool: Spool) throws(FileFailure) { handle = try spool.work.folder(id) }

  /// The record; `nil` where there is none that can be read.
  package func record() throws(FileFailure) -> JobRecord? {
    guard let data = try handle.read(Self.recordName, limit: Self.recordLimit) else { return nil }
    return try? JSONDecoder().decode(JobRecord.self, from: data)
  }

  /// Writes the record durably.
  ///
  /// - Parameter others: What has to be durable before the record says so, the folder's other names among it.
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

  /// Makes the folders that the worker writes in.
  package func prepareRun() throws(FileFailure) {
    try handle.make(Self.output)
    try handle.make(Self.engine)
  }

  /// What the worker's files take of the disk.
  package func heldBytes() throws(FileFailure) -> Int64 { try handle.takenBytes(Self.engine) }

  /// Throws away what workers have made, because the source has changed since, or because it can't be relied on.
  ///
  /// The record on the disk must not say that it is decided.
  package func forgetRun() throws(FileFailure) {
    // First of all: what is thrown away isn't finished any more.
    if try handle.status(Self.engine)?.kind == .folder {
      try handle.folder(Self.engine).remove(ResultNote.name)
    }
    try handle.removeTree(Self.delivery)
    try handle.removeTree(Self.output)
    try handle.removeTree(Self.engine)
  }

  /// The report of a worker that has finished the store and noted it, where the result is still what it was then and
  /// would come out the same today; `nil` for none.
  ///
  /// The result may have become the delivery already; then it is on its way, whatever has changed.
  ///
  /// - Parameter job: What a worker would be asked.
  package func finishedReport(of store: FileName, _ job: MigrationJob) throws(FileFailure) -> MigrationReport? {
    guard let (note, place) = try finishedRun(of: store), place == Self.delivery || note.isCurrent(for: job)
    else { return nil }
    return note.report
  }

  /// The note of a worker that has finished the store, and the folder with the file that it speaks of.
  func finishedRun(of store: FileName) throws(FileFailure) -> (note: ResultNote, place: String)? {
    guard try handle.status(Self.engine)?.kind == .folder,
      let data = try handle.folder(Self.engine).read(ResultNote.name, limit: ResultNote.largest),
      let note = ResultNote(data), FileName(note.output) == store
    else { return nil }
    for place in [Self.output, Self.delivery] where try handle.status(place)?.kind == .folder {
      // Another run's file of that name may be in one of them.
      guard let status = try handle.folder(place).status(store.text), status.kind == .file,
        note.fits(inode: status.inode, size: status.size, modified: status.modified)
      else { continue }
      return (note, place)
    }
    return nil
  }

  /// Whether an interrupted daemon left a run that had ended and whose delivery was not decided.
  ///
  /// The delivery may be prepared. A run that isn't noted as finished is made anew; of one that is, a worker finds out
  /// what it can keep.
  package func hasEndedRun(of store: FileName) throws(FileFailure) -> Bool {
    if try handle.exists(Self.delivery) { return true }
    if try finishedRun(of: store) != nil { return false }
    guard try handle.exists(Self.output) else { return false }
    return try handle.folder(Self.output).exists(store.text)
  }

  /// The other names that a worker has given to files of the source, by inode: it links external data instead of copying
  /// it.
  func links() throws(FileFailure) -> [UInt64: Int] {
    var found: [UInt64: Int] = [:]
    for name in [Self.output, Self.delivery] where try handle.status(name)?.kind == .folder {
      try handle.folder(name).countNames(&found)
    }
    return found
  }

  /// Takes a finished job's folder away in two acts, so that half a folder is never mistaken for a job.
  ///
  /// What the second act leaves is no job any more; the periodic scan sweeps it.
  package static func remove(_ id: String, from spool: Spool) throws(FileFailure) {
    try dismiss(id, from: spool)
    sweep(id, from: spool)
  }

  /// The first act: the folder is no job's any more.
  static func dismiss(_ id: String, from spool: Spool) throws(FileFailure) {
    if try spool.work.exists(id) { try spool.work.rename(id, to: spool.work, as: gonePrefix + id) }
  }

  /// The second act.
  static func sweep(_ id: String, from spool: Spool) { try? spool.work.removeTree(gonePrefix + id) }
}
