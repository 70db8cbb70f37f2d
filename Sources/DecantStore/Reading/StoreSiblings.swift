internal import Foundation

/// The files beside a store that hold a part of its content: `-wal` and `-journal`.
struct StoreSiblings {
  let log: String?
  let journal: String?
  /// The size of both files together, in bytes.
  let bytes: Int

  /// Looks for siblings of a store; empty files don't count.
  ///
  /// - Throws: `StoreError.foreignLog` for a link, folder or device with a sibling's name, because its content can't be
  ///   ignored; `files` or `disk` if the system can't say whether a sibling exists.
  init(of path: String) throws(StoreError) {
    let log = try Self.existing(path, "-wal")
    let journal = try Self.existing(path, "-journal")
    self.log = log?.path
    self.journal = journal?.path
    // Sparse files may have huge sizes, so the sum may overflow.
    let (sum, overflow) = (log?.size ?? 0).addingReportingOverflow(journal?.size ?? 0)
    bytes = overflow ? Int.max : sum
  }

  /// No siblings, for a file that is read without them.
  static let none = StoreSiblings(log: nil, journal: nil, bytes: 0)

  private init(log: String?, journal: String?, bytes: Int) {
    self.log = log
    self.journal = journal
    self.bytes = bytes
  }

  var isEmpty: Bool { log == nil && journal == nil }

  private static func existing(
    _ path: String, _ suffix: String
  ) throws(StoreError) -> (path: String, size: Int)? {
    let sibling = path + suffix
    var status = stat()
    guard lstat(sibling, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw FileCopy.failure(sibling, "looked at") }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .foreignLog(path: path, log: sibling, reason: "it isn't a regular file")
    }
    return status.st_size > 0 ? (sibling, Int(status.st_size)) : nil
  }
}
