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
  /// - Parameter afterOthers: Whether the folder's other names have to be durable before the record says so.
  package func save(_ record: JobRecord, afterOthers: Bool = false) throws(FileFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else {
      throw FileFailure("write", handle.path(of: Self.recordName), EINVAL)
    }
    try handle.write(data, to: Self.recordName, afterOthers: afterOthers)
  }

  /// Makes the folders that the worker writes in.
  package func prepareRun() throws(FileFailure) {
    try handle.make(Self.output)
    try handle.make(Self.engine)
  }

  /// What the worker's files take of the disk.
  package func heldBytes() throws(FileFailure) -> Int64 { try handle.takenBytes(Self.engine) }

  /// Throws away what workers have made of a source that has changed since.
  package func forgetRun() throws(FileFailure) {
    try handle.removeTree(Self.output)
    try handle.removeTree(Self.engine)
  }

  /// Takes a finished job's folder away in two acts, so that half a folder is never mistaken for a job.
  ///
  /// What the second act leaves is no job any more; the periodic scan sweeps it.
  package static func remove(_ id: String, from spool: Spool) throws(FileFailure) {
    if try spool.work.exists(id) { try spool.work.rename(id, to: spool.work, as: gonePrefix + id) }
    try? spool.work.removeTree(gonePrefix + id)
  }
}
