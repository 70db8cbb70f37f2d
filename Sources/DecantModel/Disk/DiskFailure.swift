internal import Foundation

/// An error of the disk, or of the network to the disk.
///
/// Such an error says nothing about the file's content.
public struct DiskFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or folder.
  public let path: String
  /// The operation that failed, as text after “can't be”.
  public let action: String
  /// The errno.
  public let code: Int32

  public init(path: String, action: String, code: Int32) {
    self.path = path
    self.action = action
    self.code = code
  }

  /// Whether an errno means a failed disk, and not a problem of permissions, names, free space or kinds of
  /// files.
  public static func isOne(_ code: Int32) -> Bool { codes.contains(code) }

  /// The errnos of a failed or missing device, a damaged file system, and a server that doesn't answer.
  private static let codes: Set<Int32> = [
    EIO, ENXIO, ENODEV, ENOMEDIUM, EREMOTEIO, EUCLEAN, EBADMSG, ESTALE, ETIMEDOUT, ENOTCONN, ENOLINK,
    EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ECONNRESET, ECONNABORTED,
  ]

  /// Whether a read failed, or SQLite doesn't say whether it was a read or a write.
  ///
  /// In these cases the failed work may be tried again at once. A write that is known to have failed isn't repeated.
  public var isOfReading: Bool { ["read", "listed", "looked at", "read or written"].contains(action) }

  /// One sentence, without a full stop.
  public var description: String {
    "\(path) can't be \(action): \(String(cString: strerror(code))); the disk or the network behind it has "
      + "failed, not the store"
  }

  /// What to do about a disk failure.
  public static let advice = "Check the disk (dmesg may say more), then try again."
}
